#include "control/document/known_circuits.h"

#include "analyses/head_json.h"
#include "control/document/shipped_files.h"
#include "render/translate.h"

namespace hs::control {
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

QString textFrom(const JsonReader& field)
{
    return QString::fromStdString(field.text());
}

CircuitRole roleFrom(const JsonReader& entry, const HeadShape& shape)
{
    CircuitRole role{textFrom(entry["title"]), textFrom(entry["mark"]), {}};
    for (const JsonReader& item : entry["heads"].items()) {
        const std::vector<HeadId> heads = orThrow(parseHeads(item.text(), shape));
        role.heads.insert(heads.begin(), heads.end());
    }
    return role;
}

KnownCircuit knownFrom(const JsonReader& entry)
{
    KnownCircuit circuit;
    circuit.title = textFrom(entry["title"]);
    circuit.model = textFrom(entry["model"]);
    circuit.source = textFrom(entry["source"]);
    circuit.layers = entry["layers"].integer(1, analyses::kMostLayers);
    circuit.headsPerLayer = entry["heads"].integer(1, analyses::kMostLayers);
    for (const JsonReader& role : entry["roles"].items())
        circuit.roles.push_back(
            roleFrom(role, {circuit.layers, circuit.headsPerLayer, circuit.headsPerLayer}));
    return circuit;
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
    const auto circuits = guarded([&] {
        const Json tree = parseJson(json.toStdString(), "circuits.json");
        const JsonReader reader(tree, "circuits.json", "install HeadScope again");
        std::vector<KnownCircuit> all;
        for (const JsonReader& entry : reader["circuits"].items())
            all.push_back(knownFrom(entry));
        return all;
    });
    return circuits ? *circuits : std::vector<KnownCircuit>();
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

}  // namespace hs::control
