#include "app/support/circuit_table.h"

#include "analyses/analysis_json.h"
#include "app/support/parts.h"
#include "base/failure.h"

#include <algorithm>
#include <limits>
#include <map>

namespace hs::app {
namespace {

constexpr int kCircuitVersion = 1;
constexpr int kMostPairs = std::numeric_limits<int>::max();
constexpr const char* kRemedy = "give files that headscope circuit --pairs wrote";
constexpr const char* kPromptKeys[] = {"clean", "corrupted", "target", "versus"};

Json toJson(const stats::Estimate& spread)
{
    return {
        {"mean", numberOrNull(spread.mean)}, {"sd", numberOrNull(spread.deviation)}, {"pairs", spread.count}};
}

Json toJson(const FoundCircuit& found)
{
    Json row = found.circuit ? toJson(*found.circuit) : Json{{"problem", found.problem}};
    row.update(found.prompts);
    row["index"] = found.index;
    return row;
}

FoundCircuit foundFrom(const JsonReader& reader)
{
    FoundCircuit found;
    found.index = reader["index"].integer(0, kMostPairs);
    found.prompts = Json::object();
    for (const char* const key : kPromptKeys)
        found.prompts[key] = reader[key].json();
    if (const JsonReader problem = reader["problem"])
        found.problem = problem.text();
    else
        found.circuit = analyses::circuitFrom(reader);
    return found;
}

bool belongsTo(const FoundCircuit& found, const CircuitTask& task)
{
    return !found.circuit || (found.circuit->kind == task.unit && found.circuit->ranking == task.ranking &&
                              found.circuit->level == task.level);
}

Json toJson(const CircuitTable& table)
{
    Json pairs = Json::array();
    for (const FoundCircuit& found : table.pairs)
        pairs.push_back(toJson(found));
    return {{"circuits", kCircuitVersion},
            {"model", table.task.model},
            {"unit", wordOf(table.task.unit)},
            {"ranking", wordOf(table.task.ranking)},
            {"level", table.task.level},
            {"refine", table.task.isRefined},
            {"pair_count", table.task.pairCount},
            {"conditions", table.task.conditions},
            {"smallest", toJson(smallestOf(table))},
            {"refined", table.task.isRefined ? toJson(refinedOf(table)) : Json(nullptr)},
            {"curve", toJson(meanCurve(table))},
            {"pairs", std::move(pairs)}};
}

CircuitTable tableFrom(const JsonReader& reader, const std::string& what)
{
    if (reader["circuits"].json() != kCircuitVersion)
        fail(ErrorCode::BadFile, what + " was written by another version; make it again.");
    CircuitTable table;
    table.task = {reader["model"].text(),
                  reader["unit"].word<analyses::CircuitUnits>(),
                  reader["ranking"].word<analyses::CircuitRanking>(),
                  reader["level"].number(),
                  reader["refine"].flag(),
                  reader["pair_count"].integer(1, kMostPairs),
                  reader["conditions"].json()};
    for (const JsonReader& pair : reader["pairs"].items()) {
        table.pairs.push_back(foundFrom(pair));
        if (!belongsTo(table.pairs.back(), table.task))
            reader.bad("mixes pairs of different searches");
    }
    return table;
}

CircuitTable merged(const std::vector<const CircuitTable*>& parts)
{
    CircuitTable whole{parts.front()->task, {}};
    for (const CircuitTable* const part : parts) {
        if (!(part->task == whole.task))
            fail(ErrorCode::BadRequest, "The parts are of different searches; merge those that were made "
                                        "with the same model, pairs and options.");
        whole.pairs.insert(whole.pairs.end(), part->pairs.begin(), part->pairs.end());
    }
    std::ranges::stable_sort(whole.pairs, {}, &FoundCircuit::index);
    std::vector<int> indices;
    for (const FoundCircuit& found : whole.pairs)
        indices.push_back(found.index);
    requireWhole(indices, whole.task.pairCount, "Pair");
    return whole;
}

template <class Count>
stats::Estimate countsOf(const CircuitTable& table, Count&& count)
{
    std::vector<double> counts;
    for (const FoundCircuit& found : table.pairs)
        if (found.circuit)
            counts.push_back(static_cast<double>(count(*found.circuit)));
    return stats::estimateOf(counts);
}

}  // namespace

std::vector<text::LeftOutPrompt> leftOutOf(const CircuitTable& table)
{
    std::vector<text::LeftOutPrompt> leftOut;
    for (const FoundCircuit& found : table.pairs)
        if (found.prompts["clean"].is_null())
            leftOut.push_back({found.index, found.problem});
    return leftOut;
}

stats::Estimate smallestOf(const CircuitTable& table)
{
    return countsOf(table, [](const analyses::Circuit& circuit) { return circuit.smallest; });
}

stats::Estimate refinedOf(const CircuitTable& table)
{
    return countsOf(table, [](const analyses::Circuit& circuit) { return circuit.refined.size(); });
}

std::vector<analyses::CircuitPoint> meanCurve(const CircuitTable& table)
{
    std::map<int, std::vector<double>> effects;
    std::size_t curves = 0;
    for (const FoundCircuit& found : table.pairs) {
        curves += found.circuit.has_value();
        for (const analyses::CircuitPoint& point :
             found.circuit ? found.circuit->curve : std::vector<analyses::CircuitPoint>())
            effects[point.kept].push_back(point.effect);
    }
    std::vector<analyses::CircuitPoint> means;
    for (const auto& [kept, values] : effects)
        if (values.size() == curves)
            means.push_back({kept, stats::estimateOf(values).mean});
    return means;
}

Json factorOf(double first, double second)
{
    return second > 0 ? numberOrNull(first / second) : Json(nullptr);
}

Json toJson(const CircuitTables& tables)
{
    if (tables.size() == 1)
        return toJson(tables.front());
    Json json = {{"dense", toJson(tables[0])},
                 {"sparse", toJson(tables[1])},
                 {"factor", factorOf(smallestOf(tables[0]).mean, smallestOf(tables[1]).mean)}};
    if (tables.front().task.isRefined)
        json["refined_factor"] = factorOf(refinedOf(tables[0]).mean, refinedOf(tables[1]).mean);
    return json;
}

bool isCircuitPart(const Json& json)
{
    return json.is_object() && (json.contains("circuits") || json.contains("dense"));
}

CircuitTables circuitTablesFrom(const Json& json, const std::string& what)
{
    const JsonReader reader(json, what, kRemedy);
    if (!reader["dense"])
        return {tableFrom(reader, what)};
    return {tableFrom(reader["dense"], what), tableFrom(reader["sparse"], what)};
}

CircuitTables merged(std::vector<CircuitTables> parts)
{
    CircuitTables whole;
    for (std::size_t model = 0; model < parts.front().size(); ++model) {
        std::vector<const CircuitTable*> tables;
        for (const CircuitTables& part : parts) {
            if (part.size() != parts.front().size())
                fail(ErrorCode::BadRequest,
                     "Some parts are of one model and some of two; merge those that were made alike.");
            tables.push_back(&part[model]);
        }
        whole.push_back(merged(tables));
    }
    return whole;
}

}  // namespace hs::app
