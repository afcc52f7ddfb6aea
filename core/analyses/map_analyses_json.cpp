#include "analyses/analysis_json.h"
#include "analyses/head_json.h"
#include "stats/metric_table.h"

namespace hs::analyses {
namespace {

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

Json toJson(const stats::HeadStats& stats)
{
    Json json;
    for (const stats::Metric& metric : stats::allMetrics())
        json[std::string(metric.name)] = numberOrNull(metric.of(stats));
    return json;
}

}  // namespace

Json toJson(const stats::ModelSummary& summary)
{
    return {{"heads", summary.heads},
            {"diagonal_dominant_share", numberOrNull(summary.diagonalDominance)},
            {"mean_peak", numberOrNull(summary.meanPeak)},
            {"diagonal_intensity", numberOrNull(summary.diagonalIntensity)},
            {"active_edges", numberOrNull(summary.activeEdges)},
            {"off_diagonal_above_half", summary.offDiagonalAboveHalf},
            {"heads_retained", summary.headsRetained}};
}

Json toJson(const stats::HeadScatter& scatter)
{
    Json heads = Json::array();
    for (const HeadId head : scatter.heads)
        heads.push_back(headRow(head));
    Json weights = Json::array();
    for (const std::vector<float>& cells : scatter.weights)
        weights.push_back(cells);
    Json json = {{"length", scatter.pattern.queries},
                 {"heads", std::move(heads)},
                 {"weights", std::move(weights)},
                 {"correlations", rowsOf(scatter.correlations, scatter.heads.size())},
                 {"clusters", scatter.clusters}};
    if (!scatter.pattern.isCausal)
        json["keys"] = scatter.pattern.keys;
    return json;
}

Json layersJson(const Comparison& comparison)
{
    const auto variations = changesByLayer(comparison.pairs, &stats::PatternDistance::totalVariation);
    const auto divergences = changesByLayer(comparison.pairs, &stats::PatternDistance::jensenShannon);
    const auto toTree = [](const LayerChange& change) {
        return Json{{"mean", numberOrNull(change.mean)},
                    {"largest", numberOrNull(change.largest)},
                    {"head", toString(change.farthest)}};
    };
    Json layers = Json::array();
    for (std::size_t layer = 0; layer < variations.size(); ++layer)
        layers.push_back({{"layer", layer},
                          {"total_variation", toTree(variations[layer])},
                          {"jensen_shannon", toTree(divergences[layer])}});
    return layers;
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
            {"layers", layersJson(comparison)},
            {"pairs", std::move(pairs)}};
}

Json toJson(const stats::TokenFlow& flow)
{
    Json edges = Json::array();
    for (const stats::FlowEdge& edge : flow.edges) {
        edges.push_back(headRow(edge.head));
        edges.back().update({{"query", edge.query}, {"key", edge.key}, {"weight", edge.weight}});
    }
    const auto columns = static_cast<std::size_t>(flow.tokens);
    Json json = {{"layers", flow.layers},
                 {"length", flow.tokens},
                 {"threshold", flow.threshold},
                 {"edges", std::move(edges)},
                 {"ways", rowsOf(flow.ways, columns)}};
    if (!flow.rollout.empty())
        json["rollout"] = rowsOf(flow.rollout, columns);
    return json;
}

}  // namespace hs::analyses
