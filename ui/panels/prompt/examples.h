#pragma once

#include <QByteArray>
#include <QString>

#include <vector>

namespace hs::panels {

/// A prompt worth starting from, with the token it should lead to and the one it should not, and a prompt of
/// the same number of tokens without what the answer depends on.
struct Example {
    QString text;
    QString target;
    QString distractor;
    QString corrupted;  // empty: none

    friend bool operator==(const Example&, const Example&) = default;
};

struct ExampleGroup {
    QString title;
    bool isForDemo = false;  // made of the demo pair's few words; others are plain English
    std::vector<Example> examples;
};

/// None if the JSON is not valid.
std::vector<ExampleGroup> parseExamples(const QByteArray& json);

/// From resources/prompts.json.
std::vector<ExampleGroup> shippedExamples();

}  // namespace hs::panels
