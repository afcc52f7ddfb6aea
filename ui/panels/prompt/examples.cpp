#include "panels/prompt/examples.h"

#include "base/failure.h"
#include "base/json_reader.h"
#include "control/document/shipped_files.h"

namespace hs::panels {
namespace {

QString textIn(const JsonReader& field)
{
    return QString::fromStdString(field.text(""));
}

ExampleGroup groupFrom(const JsonReader& entry)
{
    ExampleGroup group{QString::fromStdString(entry["title"].text()), entry["for"].text("") == "demo", {}};
    for (const JsonReader& example : entry["examples"].items())
        group.examples.push_back({QString::fromStdString(example["text"].text()), textIn(example["target"]),
                                  textIn(example["distractor"]), textIn(example["corrupted"])});
    return group;
}

}  // namespace

std::vector<ExampleGroup> parseExamples(const QByteArray& json)
{
    const auto groups = guarded([&] {
        const Json tree = parseJson(json.toStdString(), "prompts.json");
        const JsonReader reader(tree, "prompts.json", "install HeadScope again");
        std::vector<ExampleGroup> all;
        for (const JsonReader& entry : reader["groups"].items())
            all.push_back(groupFrom(entry));
        return all;
    });
    return groups ? *groups : std::vector<ExampleGroup>();
}

std::vector<ExampleGroup> shippedExamples()
{
    return parseExamples(control::readShippedFile(QStringLiteral("prompts.json")));
}

}  // namespace hs::panels
