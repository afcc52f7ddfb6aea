#include "analyses/analysis_json.h"
#include "analyses/head_json.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

namespace hs::analyses {
namespace {

constexpr const char* kDefinition =
    "explained effect of n = (metric with the best n units kept and all others taken from the corrupted run "
    "- "
    "none_kept) / (clean - none_kept); effect of one unit = (metric of the corrupted run with its clean "
    "output "
    "- corrupted) / (clean - corrupted); removal of one unit = (clean - metric of the clean run with its "
    "corrupted output) / (clean - corrupted); ranked by gradient, both are first-order estimates; a path is "
    "patched "
    "only in what its end reads, and the rest of the run is computed anew behind it";

Json toJson(const engine::PathEnd& end)
{
    Json json = end.input == engine::PathInput::Logits ? Json::object() : headRow(end.head);
    json["input"] = wordOf(end.input);
    return json;
}

engine::PathEnd pathEndFrom(const JsonReader& reader, const HeadShape& shape)
{
    engine::PathEnd end;
    end.input = reader["input"].word<engine::PathInput>();
    if (end.input != engine::PathInput::Logits)
        end.head = headFrom(reader, shape);
    return end;
}

Json toJson(const CircuitUnit& unit)
{
    Json row = headRow(unit.head);
    if (unit.cell) {
        row["query"] = unit.cell->query;
        row["key"] = unit.cell->key;
    }
    row["effect"] = numberOrNull(unit.effect);
    row["removal"] = numberOrNull(unit.removal);
    if (unit.to)
        row["to"] = toJson(*unit.to);
    return row;
}

CircuitUnit circuitUnitFrom(const JsonReader& row, const Circuit& circuit)
{
    CircuitUnit unit;
    unit.head = circuit.kind == CircuitUnits::HeadsAndMlps ? unitFrom(row, circuit.shape)
                                                           : headFrom(row, circuit.shape);
    if (circuit.kind == CircuitUnits::Edges) {
        const int query = row["query"].integer(0, circuit.tokens - 1);
        unit.cell = CellId{query, row["key"].integer(0, query)};
    }
    unit.effect = row["effect"].numberOrNaN();
    unit.removal = row["removal"].numberOrNaN();
    if (circuit.kind == CircuitUnits::Paths)
        unit.to = pathEndFrom(row["to"], circuit.shape);
    return unit;
}

}  // namespace

Json toJson(const std::vector<CircuitPoint>& curve)
{
    Json points = Json::array();
    for (const CircuitPoint& point : curve)
        points.push_back({point.kept, point.effect});
    return points;
}

Json curveJson(const Circuit& circuit)
{
    return {{"unit", wordOf(circuit.kind)},
            {"curve", toJson(circuit.curve)},
            {"level", circuit.level},
            {"smallest", circuit.smallest}};
}

Json toJson(const Circuit& circuit)
{
    Json units = Json::array();
    for (const CircuitUnit& unit : circuit.units)
        units.push_back(toJson(unit));
    Json json = curveJson(circuit);
    json.update({{"shape", toJson(circuit.shape)},
                 {"length", circuit.tokens},
                 {"ranking", wordOf(circuit.ranking)},
                 {"units", std::move(units)},
                 {"refined", circuit.refined},
                 {"baseline",
                  {{"clean", circuit.clean},
                   {"corrupted", circuit.corrupted},
                   {"none_kept", circuit.none},
                   {"definition", kDefinition}}}});
    if (circuit.check)
        json["check"] = {{"sampled", circuit.check->sampled},
                         {"largest_error", circuit.check->largestError},
                         {"rank_correlation", numberOrNull(circuit.check->rankCorrelation)}};
    return json;
}

std::vector<CircuitPoint> curveFrom(const JsonReader& reader, int mostUnits)
{
    std::vector<CircuitPoint> curve;
    for (const JsonReader& point : reader["curve"].items()) {
        if (!point.json().is_array() || point.json().size() != 2)
            point.refuse("a pair of a count and an effect");
        curve.push_back({point[0].integer(0, mostUnits), point[1].number()});
    }
    return curve;
}

Circuit circuitFrom(const JsonReader& reader)
{
    Circuit circuit;
    circuit.shape = shapeFrom(reader["shape"]);
    circuit.tokens = reader["length"].integer(1, kMostTokens);
    circuit.kind = reader["unit"].word<CircuitUnits>();
    circuit.ranking = reader["ranking"].word<CircuitRanking>();
    const JsonReader baseline = reader["baseline"];
    circuit.clean = baseline["clean"].number();
    circuit.corrupted = baseline["corrupted"].number();
    circuit.none = baseline["none_kept"].number();
    std::set<std::tuple<HeadId, std::optional<CellId>, std::optional<engine::PathEnd>>> seen;
    for (const JsonReader& row : reader["units"].items()) {
        const CircuitUnit& unit = circuit.units.emplace_back(circuitUnitFrom(row, circuit));
        if (!seen.insert({unit.head, unit.cell, unit.to}).second)
            row.bad("ranks " + toString(unit.head) + " twice");
    }
    const int count = static_cast<int>(circuit.units.size());
    circuit.curve = curveFrom(reader, count);
    if (!std::ranges::is_sorted(circuit.curve, std::ranges::less_equal(), &CircuitPoint::kept))
        reader["curve"].bad("does not keep more units from point to point");
    circuit.level = reader["level"].number(0, 1);
    circuit.smallest = reader["smallest"].integer(0, count);
    for (const JsonReader& rank : reader["refined"].items())
        circuit.refined.push_back(rank.integer(0, count - 1));
    if (const JsonReader check = reader["check"])
        circuit.check = EstimateCheck{check["sampled"].integer(0, count), check["largest_error"].number(),
                                      check["rank_correlation"].numberOrNaN()};
    return circuit;
}

}  // namespace hs::analyses
