#include "panels/prompt/examples.h"

#include "control/document/known_circuits.h"
#include "support/catch.h"
#include "text/tokenizer.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace hs;

TEST_CASE("the demo's examples are made of its words, target and distractor too")
{
    const auto tokenizer = text::Tokenizer::load(HS_SOURCE_DIR "/resources/models/demo-dense");
    REQUIRE(tokenizer);
    const auto unknown = (*tokenizer)->idOf("<unk>");
    REQUIRE(unknown);
    int checked = 0;
    for (const panels::ExampleGroup& group : panels::shippedExamples()) {
        if (!group.isForDemo)
            continue;
        for (const panels::Example& example : group.examples) {
            CAPTURE(example.text.toStdString());
            const auto encoding = (*tokenizer)->encode(example.text.toStdString());
            REQUIRE(encoding);
            CHECK(std::count(encoding->ids.begin(), encoding->ids.end(), *unknown) == 0);
            CHECK((*tokenizer)->idOf(example.target.toStdString()));
            CHECK((*tokenizer)->idOf(example.distractor.toStdString()));
            ++checked;
        }
    }
    CHECK(checked >= 12);
}

TEST_CASE("the demo's corrupted prompts differ from the clean ones in one word, which is not the last")
{
    const auto tokenizer = text::Tokenizer::load(HS_SOURCE_DIR "/resources/models/demo-dense");
    REQUIRE(tokenizer);
    const auto idsOf = [&](const QString& text) {
        const auto encoding = (*tokenizer)->encode(text.toStdString());
        REQUIRE(encoding);
        return encoding->ids;
    };
    int checked = 0;
    for (const panels::ExampleGroup& group : panels::shippedExamples()) {
        if (!group.isForDemo)
            continue;
        for (const panels::Example& example : group.examples) {
            CAPTURE(example.text.toStdString(), example.corrupted.toStdString());
            const auto clean = idsOf(example.text);
            const auto corrupted = idsOf(example.corrupted);
            REQUIRE(clean.size() == corrupted.size());
            CHECK(clean.back() == corrupted.back());
            const auto isEqual = std::equal_to<>();
            CHECK(std::transform_reduce(clean.begin(), clean.end(), corrupted.begin(), 0, std::plus<>(),
                                        std::not_fn(isEqual)) == 1);
            CHECK(std::count(corrupted.begin(), corrupted.end(), *(*tokenizer)->idOf("<unk>")) == 0);
            ++checked;
        }
    }
    CHECK(checked >= 20);
}

TEST_CASE("there are examples of every kind for other models as well")
{
    std::vector<QString> titles;
    for (const panels::ExampleGroup& group : panels::shippedExamples())
        if (!group.isForDemo)
            titles.push_back(group.title);
    CHECK(titles == std::vector<QString>{"Indirect objects", "Greater than", "Opposites", "Repeats",
                                         "General English"});
}

TEST_CASE("files that make no sense give no examples and no circuits")
{
    for (const char* const text :
         {"", "{", "[]", "{\"groups\": 3}", "{\"groups\": [{\"title\": \"a\"}, 7]}",
          "{\"circuits\": [{\"title\": \"x\", \"layers\": -3, \"heads\": 1e99}]}",
          "{\"circuits\": [{\"title\": \"x\", \"layers\": 2, \"heads\": 2, \"roles\": "
          "[{\"title\": \"r\", \"heads\": [\"L9H9\", 4, null]}]}]}"}) {
        CAPTURE(text);
        CHECK(panels::parseExamples(text).empty());
        CHECK(control::parseCircuits(text).empty());
    }
}

TEST_CASE("known circuits hold the published heads and fit their model only")
{
    const auto circuits = control::shippedCircuits();
    REQUIRE(circuits.size() == 2);
    CHECK(circuits[0].heads().size() == 26);
    CHECK(circuits[0].heads().contains(HeadId{9, 9}));
    CHECK(circuits[0].heads().contains(HeadId{4, 11}));
    CHECK(circuits[1].heads() == std::set<HeadId>{{9, 1}, {8, 11}, {7, 10}, {6, 9}, {5, 5}, {8, 8}, {5, 1}});
    CHECK(circuits[0].fits({12, 12, 12}));
    CHECK_FALSE(circuits[0].fits({8, 8, 8}));
}
