#include "control/known_circuits.h"

#include "control/shipped_files.h"
#include "render/translate.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace hs {
namespace {

[[maybe_unused]] constexpr const char* kTitles[] = {QT_TRANSLATE_NOOP("HeadScope", "Indirect objects"),
                                                    QT_TRANSLATE_NOOP("HeadScope", "Greater than"),
                                                    QT_TRANSLATE_NOOP("HeadScope", "Name movers"),
                                                    QT_TRANSLATE_NOOP("HeadScope", "Backup name movers"),
                                                    QT_TRANSLATE_NOOP("HeadScope", "Negative name movers"),
                                                    QT_TRANSLATE_NOOP("HeadScope", "S-inhibition"),
                                                    QT_TRANSLATE_NOOP("HeadScope", "Induction"),
                                                    QT_TRANSLATE_NOOP("HeadScope", "Duplicate token"),
                                                    QT_TRANSLATE_NOOP("HeadScope", "Previous token"),
                                                    QT_TRANSLATE_NOOP("HeadScope", "Attention heads")};

CircuitRole parseRole(const QJsonValue& entry, const HeadShape& shape)
{
    CircuitRole role;
    role.title = entry[QLatin1String("title")].toString();
    role.mark = entry[QLatin1String("mark")].toString(role.title.left(2).toUpper());
    const QJsonArray heads = entry[QLatin1String("heads")].toArray();
    for (const QJsonValue& head : heads)
        if (const auto parsed = parseHeads(head.toString().toStdString(), shape))
            role.heads.insert(parsed->begin(), parsed->end());
    return role;
}

}  // namespace

std::set<HeadId> KnownCircuit::heads() const
{
    std::set<HeadId> all;
    for (const CircuitRole& role : roles)
        all.insert(role.heads.begin(), role.heads.end());
    return all;
}

std::vector<KnownCircuit> parseCircuits(const QByteArray& json)
{
    std::vector<KnownCircuit> circuits;
    const QJsonArray entries =
        QJsonDocument::fromJson(json).object().value(QLatin1String("circuits")).toArray();
    for (const QJsonValue& entry : entries) {
        KnownCircuit circuit;
        circuit.title = entry[QLatin1String("title")].toString();
        circuit.model = entry[QLatin1String("model")].toString();
        circuit.source = entry[QLatin1String("source")].toString();
        circuit.layers = entry[QLatin1String("layers")].toInt();
        circuit.headsPerLayer = entry[QLatin1String("heads")].toInt();
        const HeadShape shape{circuit.layers, circuit.headsPerLayer, circuit.headsPerLayer};
        const QJsonArray roles = entry[QLatin1String("roles")].toArray();
        for (const QJsonValue& role : roles)
            if (CircuitRole parsed = parseRole(role, shape); !parsed.heads.empty())
                circuit.roles.push_back(std::move(parsed));
        if (!circuit.title.isEmpty() && !circuit.roles.empty())
            circuits.push_back(std::move(circuit));
    }
    return circuits;
}

const std::vector<KnownCircuit>& shippedCircuits()
{
    static const std::vector<KnownCircuit> circuits =
        parseCircuits(readShippedFile(QStringLiteral("circuits.json")));
    return circuits;
}

QString translatedTitle(const QString& title)
{
    return tr(qUtf8Printable(title));
}

}  // namespace hs
