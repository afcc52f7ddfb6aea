#include "panels/known_circuits.h"

#include "panels/panel_resources.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace hs {
namespace {

CircuitRole parseRole(const QJsonValue& entry, const HeadShape& shape)
{
    CircuitRole role;
    role.title = entry[QLatin1String("title")].toString();
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

std::vector<KnownCircuit> shippedCircuits()
{
    return parseCircuits(readPanelResource(QStringLiteral("circuits.json")));
}

}  // namespace hs
