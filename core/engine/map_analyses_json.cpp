#include "analysis/head_summary.h"
#include "analysis/metric_table.h"
#include "engine/analysis_json.h"
#include "engine/head_json.h"

#include <cmath>

namespace hs {
namespace {

constexpr double kLargestCount = 1e15;  // beyond it doubles skip whole numbers

template <class Number>
Json rowsOf(const std::vector<Number>& values, std::size_t columns)
{
    Json rows = Json::array();
    for (std::size_t index = 0; index < values.size(); ++index) {
        if (index % columns == 0)
            rows.push_back(Json::array());
        rows.back().push_back(numberOrNull(values[index]));
    }
    return rows;
}

/// A square of numbers, rows in turn.
std::vector<double> squareFrom(const JsonReader& reader, const char* name, std::size_t side)
{
    std::vector<double> values;
    for (const Json& row : reader.list(name, side)) {
        const std::vector<double> numbers = reader.numbersIn(row, name, side);
        values.insert(values.end(), numbers.begin(), numbers.end());
    }
    return values;
}

Json toJson(const HeadStats& stats)
{
    Json json;
    for (const Metric& metric : allMetrics())
        json[std::string(metric.name)] = numberOrNull(metric.of(stats));
    return json;
}

HeadStats statsFrom(const JsonReader& reader)
{
    HeadStats stats;
    for (const Metric& metric : allMetrics()) {
        const double value = reader.number(std::string(metric.name).c_str());
        if (std::abs(value) > kLargestCount)
            reader.bad("has a metric that no head can have");
        metric.set(stats, value);
    }
    return stats;
}

ModelSummary summaryFrom(const JsonReader& reader)
{
    ModelSummary summary;
    summary.heads = reader.integer("heads", 0, kMostLayers * kMostLayers);
    summary.diagonalDominance = reader.number("diagonal_dominant_share");
    summary.meanPeak = reader.number("mean_peak");
    summary.diagonalIntensity = reader.number("diagonal_intensity");
    summary.activeEdges = reader.number("active_edges");
    const double cells = reader.finite("off_diagonal_above_half");
    if (cells < 0 || cells > kLargestCount)
        reader.bad("has a count of cells that no model can have");
    summary.offDiagonalAboveHalf = static_cast<std::int64_t>(cells);
    summary.headsRetained = reader.integer("heads_retained", 0, summary.heads);
    return summary;
}

}  // namespace

Json toJson(const ModelSummary& summary)
{
    return {{"heads", summary.heads},
            {"diagonal_dominant_share", numberOrNull(summary.diagonalDominance)},
            {"mean_peak", numberOrNull(summary.meanPeak)},
            {"diagonal_intensity", numberOrNull(summary.diagonalIntensity)},
            {"active_edges", numberOrNull(summary.activeEdges)},
            {"off_diagonal_above_half", summary.offDiagonalAboveHalf},
            {"heads_retained", summary.headsRetained}};
}

Json toJson(const HeadScatter& scatter)
{
    Json heads = Json::array();
    for (const HeadId head : scatter.heads)
        heads.push_back(headRow(head));
    Json weights = Json::array();
    for (const std::vector<float>& cells : scatter.weights)
        weights.push_back(cells);
    return {{"length", scatter.tokens},
            {"heads", std::move(heads)},
            {"weights", std::move(weights)},
            {"correlations", rowsOf(scatter.correlations, scatter.heads.size())},
            {"clusters", scatter.clusters}};
}

HeadScatter scatterFrom(const Json& json, const std::string& what)
{
    const JsonReader reader = readerOf(json, what);
    HeadScatter scatter;
    scatter.tokens = reader.integer("length", 1, kMostTokens);
    for (const Json& head : reader.list("heads"))
        scatter.heads.push_back(headFrom(reader.item(head)));
    const std::size_t count = scatter.heads.size();
    const auto cells = static_cast<std::size_t>(causalCells(scatter.tokens));
    for (const Json& row : reader.list("weights", count)) {
        const std::vector<double> numbers = reader.numbersIn(row, "weights", cells);
        scatter.weights.emplace_back(numbers.begin(), numbers.end());
    }
    scatter.correlations = squareFrom(reader, "correlations", count);
    for (const Json& number : reader.list("clusters", count))
        scatter.clusters.push_back(reader.integerIn(number, "clusters", 0, static_cast<int>(count) - 1));
    return scatter;
}

Json toJson(const Comparison& comparison)
{
    Json pairs = Json::array();
    for (const HeadPair& pair : comparison.pairs) {
        Json row = headRow(pair.head);
        row["first"] = toJson(pair.first);
        row["second"] = toJson(pair.second);
        row["total_variation"] = numberOrNull(pair.distance.totalVariation);
        row["jensen_shannon"] = numberOrNull(pair.distance.jensenShannon);
        pairs.push_back(std::move(row));
    }
    return {{"first", toJson(comparison.first)},
            {"second", toJson(comparison.second)},
            {"pairs", std::move(pairs)}};
}

Comparison comparisonFrom(const Json& json, const std::string& what)
{
    const JsonReader reader = readerOf(json, what);
    Comparison comparison;
    comparison.first = summaryFrom(reader.object("first"));
    comparison.second = summaryFrom(reader.object("second"));
    for (const Json& item : reader.list("pairs")) {
        const JsonReader row = reader.item(item);
        comparison.pairs.push_back({headFrom(row),
                                    statsFrom(row.object("first")),
                                    statsFrom(row.object("second")),
                                    {row.number("total_variation"), row.number("jensen_shannon")}});
    }
    return comparison;
}

Json toJson(const TokenFlow& flow)
{
    Json edges = Json::array();
    for (const FlowEdge& edge : flow.edges) {
        edges.push_back(headRow(edge.head));
        edges.back().update({{"query", edge.query}, {"key", edge.key}, {"weight", edge.weight}});
    }
    return {{"layers", flow.layers},
            {"length", flow.tokens},
            {"threshold", flow.threshold},
            {"edges", std::move(edges)},
            {"ways", rowsOf(flow.ways, static_cast<std::size_t>(flow.tokens))}};
}

TokenFlow flowFrom(const Json& json, const std::string& what)
{
    const JsonReader reader = readerOf(json, what);
    TokenFlow flow;
    flow.layers = reader.integer("layers", 1, kMostLayers);
    flow.tokens = reader.integer("length", 1, kMostTokens);
    flow.threshold = reader.finite("threshold");
    for (const Json& item : reader.list("edges")) {
        const JsonReader row = reader.item(item);
        const int query = row.integer("query", 0, flow.tokens - 1);
        flow.edges.push_back({headFrom(row, {flow.layers, kMostLayers, kMostLayers}), query,
                              row.integer("key", 0, query), static_cast<float>(row.finite("weight"))});
    }
    flow.ways = squareFrom(reader, "ways", static_cast<std::size_t>(flow.tokens));
    return flow;
}

}  // namespace hs
