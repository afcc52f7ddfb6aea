#include "panels/examples.h"

#include "control/shipped_files.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace hs {

std::vector<ExampleGroup> parseExamples(const QByteArray& json)
{
    std::vector<ExampleGroup> groups;
    const QJsonArray entries =
        QJsonDocument::fromJson(json).object().value(QLatin1String("groups")).toArray();
    for (const QJsonValue& entry : entries) {
        ExampleGroup group;
        group.title = entry[QLatin1String("title")].toString();
        group.isForDemo = entry[QLatin1String("for")].toString() == QLatin1String("demo");
        const QJsonArray examples = entry[QLatin1String("examples")].toArray();
        for (const QJsonValue& example : examples) {
            const QString text = example[QLatin1String("text")].toString();
            if (!text.isEmpty())
                group.examples.push_back({text, example[QLatin1String("target")].toString(),
                                          example[QLatin1String("distractor")].toString(),
                                          example[QLatin1String("corrupted")].toString()});
        }
        if (!group.title.isEmpty() && !group.examples.empty())
            groups.push_back(std::move(group));
    }
    return groups;
}

std::vector<ExampleGroup> shippedExamples()
{
    return parseExamples(readShippedFile(QStringLiteral("prompts.json")));
}

}  // namespace hs
