#include "control/figures/figure_results.h"

#include "analyses/analysis_json.h"
#include "analyses/head_json.h"
#include "analyses/history_json.h"
#include "analyses/written_units.h"
#include "base/failure.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

namespace hs::control {
namespace {

constexpr int kMost = 1'000'000;  // more layers, heads and positions than any model has
constexpr const char* kRemedy = "make it again with headscope attribute, circuit or sweep";

/// The parsed text with a reader for it.
struct ParsedResult {
    explicit ParsedResult(const std::string& text) : tree(parseJson(text, "The result")) {}

    Json tree;
    JsonReader reader{tree, "The result", kRemedy};
};

std::vector<HeadId> byMagnitude(std::vector<std::pair<HeadId, double>> effects)
{
    std::stable_sort(effects.begin(), effects.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
    std::vector<HeadId> heads;
    for (const auto& [head, effect] : effects)
        heads.push_back(head);
    return heads;
}

WrittenSums inOrder(WrittenSums sums)
{
    std::ranges::stable_sort(sums.mlps, std::greater(), [](const auto& mlp) { return std::abs(mlp.second); });
    return sums;
}

std::vector<std::string> fieldsOf(const std::string& line)
{
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');)
        fields.push_back(field);
    return fields;
}

double valueOf(const std::string& field)
{
    std::istringstream stream(field);
    stream.imbue(std::locale::classic());
    double value = 0;
    return stream >> value ? value : 0;
}

/// A sweep's table: by logit difference if it has one, otherwise by logit.
std::vector<HeadId> readSweep(const std::string& text)
{
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    std::map<std::string, std::size_t> columns;
    for (const std::string& name : fieldsOf(line))
        columns.emplace(name, columns.size());
    if (!columns.contains("layer") || !columns.contains("head") || !columns.contains("logit"))
        fail(ErrorCode::BadFile,
             std::string("The result has no columns layer, head and logit; ") + kRemedy + ".");
    std::vector<std::pair<HeadId, double>> effects;
    while (std::getline(lines, line)) {
        const std::vector<std::string> fields = fieldsOf(line);
        const auto field = [&](const std::string& name) {
            const auto column = columns.find(name);
            return column != columns.end() && column->second < fields.size() ? fields[column->second]
                                                                             : std::string();
        };
        if (field("head") == kMlpName)
            continue;
        const std::string difference = field("logit_diff");
        const auto bounded = [](double value) {
            return static_cast<int>(std::clamp(value, 0.0, double{kMost}));
        };
        effects.push_back({{bounded(valueOf(field("layer"))), bounded(valueOf(field("head")))},
                           valueOf(difference.empty() ? field("logit") : difference)});
    }
    return byMagnitude(std::move(effects));
}

}  // namespace

std::vector<HeadId> readRanking(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || text[first] != '{')
        return readSweep(text);
    const ParsedResult result(text);
    if (!result.reader["units"]) {
        std::vector<std::pair<HeadId, double>> effects;
        for (const JsonReader& head : result.reader["heads"].items())
            effects.emplace_back(analyses::headFrom(head), head["value"].number());
        return byMagnitude(std::move(effects));
    }
    std::vector<HeadId> heads;
    std::set<HeadId> seen;
    for (const JsonReader& unit : result.reader["units"].items())
        if (const HeadId head = analyses::unitFrom(unit); !head.isMlp() && seen.insert(head).second)
            heads.push_back(head);
    return heads;
}

std::vector<CellContribution> readContributions(const std::string& text)
{
    const ParsedResult result(text);
    std::vector<CellContribution> edges;
    for (const JsonReader& edge : result.reader["edges"].items())
        edges.push_back({analyses::headFrom(edge), edge["query"].integer(0, analyses::kMostTokens),
                         edge["key"].integer(0, analyses::kMostTokens), edge["value"].number()});
    return edges;
}

WrittenSums readWrittenSums(const std::string& text)
{
    const ParsedResult result(text);
    WrittenSums sums;
    if (const JsonReader logit = result.reader["logit"])
        sums.logit = logit.number();
    if (const JsonReader heads = result.reader["heads"])
        for (const JsonReader& head : heads.items())
            sums.heads += head["value"].number();
    if (const JsonReader mlps = result.reader["mlps"])  // an older file has none
        for (const JsonReader& mlp : mlps.items())
            sums.mlps.emplace_back(analyses::unitFrom(mlp), mlp["value"].number());
    return inOrder(std::move(sums));
}

WrittenSums writtenSums(const engine::Attribution& attribution)
{
    WrittenSums sums{attribution.logit, 0, {}};
    for (const auto& [unit, value] : analyses::writtenByUnits(attribution))
        if (unit.isMlp())
            sums.mlps.emplace_back(unit, value);
        else
            sums.heads += value;
    return inOrder(std::move(sums));
}

analyses::History readHistory(const std::string& text)
{
    return analyses::historyFrom(ParsedResult(text).reader);
}

figures::EffectCurve readCurve(const std::string& text)
{
    const ParsedResult result(text);
    figures::EffectCurve curve;
    curve.points = analyses::curveFrom(result.reader, kMost);
    std::ranges::stable_sort(curve.points, {}, &analyses::CircuitPoint::kept);
    // Circuits of many pairs give a summary instead of a number.
    if (const JsonReader smallest = result.reader["smallest"]; smallest && smallest.json().is_number())
        curve.smallest = smallest.integer(0, kMost);
    return curve;
}

analyses::CircuitUnits readUnits(const std::string& text)
{
    return ParsedResult(text).reader["unit"].word(analyses::CircuitUnits::Heads);
}

}  // namespace hs::control
