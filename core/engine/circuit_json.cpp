#include "engine/analysis_json.h"
#include "engine/analysis_words.h"
#include "engine/head_json.h"

#include <set>

namespace hs {
namespace {

constexpr const char* kDefinition =
    "explained effect of n = (metric with the best n units kept and all others taken from the corrupted run "
    "- "
    "none_kept) / (clean - none_kept); effect of one unit = (metric of the corrupted run with its clean "
    "output "
    "- corrupted) / (clean - corrupted); removal of one unit = (clean - metric of the clean run with its "
    "corrupted output) / (clean - corrupted); ranked by gradient, both are first-order estimates";

Json toJson(const CircuitUnit& unit)
{
    Json row = headRow(unit.head);
    if (unit.cell) {
        row["query"] = unit.cell->query;
        row["key"] = unit.cell->key;
    }
    row["effect"] = numberOrNull(unit.effect);
    row["removal"] = numberOrNull(unit.removal);
    return row;
}

CircuitUnit unitFrom(const JsonReader& row, const Circuit& circuit)
{
    CircuitUnit unit;
    unit.head = headFrom(row, circuit.shape);
    if (circuit.kind == CircuitUnits::Edges) {
        const int query = row.integer("query", 0, circuit.tokens - 1);
        unit.cell = CellId{query, row.integer("key", 0, query)};
    }
    unit.effect = row.number("effect");
    unit.removal = row.number("removal");
    return unit;
}

CircuitPoint pointFrom(const Json& json, const Circuit& circuit, const JsonReader& reader)
{
    if (!json.is_array() || json.size() != 2 || !json[1].is_number())
        reader.bad("has a point of its curve that is no pair of a count and an effect");
    const int least = circuit.curve.empty() ? 0 : circuit.curve.back().kept + 1;
    return {reader.integerIn(json[0], "curve", least, static_cast<int>(circuit.units.size())),
            json[1].get<double>()};
}

}  // namespace

Json toJson(const Circuit& circuit)
{
    Json units = Json::array();
    for (const CircuitUnit& unit : circuit.units)
        units.push_back(toJson(unit));
    Json curve = Json::array();
    for (const CircuitPoint& point : circuit.curve)
        curve.push_back({point.kept, point.effect});
    return {{"shape", toJson(circuit.shape)},
            {"length", circuit.tokens},
            {"unit", wordOf(circuit.kind)},
            {"ranking", wordOf(circuit.ranking)},
            {"units", std::move(units)},
            {"curve", std::move(curve)},
            {"level", circuit.level},
            {"smallest", circuit.smallest},
            {"refined", circuit.refined},
            {"baseline",
             {{"clean", circuit.clean},
              {"corrupted", circuit.corrupted},
              {"none_kept", circuit.none},
              {"definition", kDefinition}}}};
}

Circuit circuitFrom(const Json& json, const std::string& what)
{
    const JsonReader reader = readerOf(json, what);
    Circuit circuit;
    circuit.shape = shapeFrom(reader.object("shape"));
    circuit.tokens = reader.integer("length", 1, kMostTokens);
    circuit.kind = static_cast<CircuitUnits>(reader.word("unit", kCircuitUnitWords));
    circuit.ranking = static_cast<CircuitRanking>(reader.word("ranking", kCircuitRankingWords));
    const JsonReader baseline = reader.object("baseline");
    circuit.clean = baseline.finite("clean");
    circuit.corrupted = baseline.finite("corrupted");
    circuit.none = baseline.finite("none_kept");
    std::set<std::pair<HeadId, std::optional<CellId>>> seen;
    for (const Json& row : reader.list("units")) {
        circuit.units.push_back(unitFrom(reader.item(row), circuit));
        if (!seen.insert({circuit.units.back().head, circuit.units.back().cell}).second)
            reader.bad("ranks " + toString(circuit.units.back().head) + " twice");
    }
    for (const Json& point : reader.list("curve"))
        circuit.curve.push_back(pointFrom(point, circuit, reader));
    circuit.level = reader.finite("level");
    if (!(circuit.level > 0 && circuit.level <= 1))
        reader.bad("has a level outside of 0 to 1");
    const int count = static_cast<int>(circuit.units.size());
    circuit.smallest = reader.integer("smallest", 0, count);
    for (const Json& rank : reader.list("refined"))
        circuit.refined.push_back(reader.integerIn(rank, "refined", 0, count - 1));
    return circuit;
}

}  // namespace hs
