#include "analyses/analysis_json.h"
#include "analyses/history_json.h"
#include "service/graph_trees.h"
#include "service/lens_trees.h"
#include "service/result_trees.h"
#include "service/set_trees.h"

#include <algorithm>

namespace hs::service {
namespace {

using remote::arrayOf;
using remote::readArray;
using remote::Tree;

constexpr int kMostItems = 1 << 28;
constexpr int kMostScattered = 1 << 14;

std::size_t countFrom(const JsonReader& reader)
{
    return static_cast<std::size_t>(reader["count"].integer(0, kMostItems));
}

/// Rows of whole numbers and one value each: places in the model, and what is found there.
class Rows {
public:
    explicit Rows(std::size_t columns) : m_columns(columns) {}

    void add(std::initializer_list<int> places, double value)
    {
        m_places.insert(m_places.end(), places.begin(), places.end());
        m_values.push_back(value);
    }
    Tree tree() const
    {
        return {{"count", m_values.size()}, {"places", arrayOf(m_places)}, {"values", arrayOf(m_values)}};
    }

    Rows(const JsonReader& reader, std::size_t columns)
        : m_columns(columns),
          m_places(readArray<std::int32_t>(reader["places"], columns * countFrom(reader))),
          m_values(readArray<double>(reader["values"], countFrom(reader)))
    {
    }
    std::size_t size() const { return m_values.size(); }
    double value(std::size_t row) const { return m_values[row]; }
    /// Refused unless it is in 0..below.
    int place(const JsonReader& reader, std::size_t row, std::size_t column, int below) const
    {
        const std::int32_t place = m_places[row * m_columns + column];
        if (place < 0 || place >= below)
            reader.bad("names a place that the model does not have");
        return place;
    }

private:
    std::size_t m_columns;
    std::vector<std::int32_t> m_places;  // [row, column]
    std::vector<double> m_values;        // [row]
};

Tree treeOf(const analyses::Sweep& sweep)
{
    return analyses::toJson(sweep);
}

Tree treeOf(const analyses::Circuit& circuit)
{
    return analyses::toJson(circuit);
}

Tree treeOf(const engine::Attribution& found)
{
    Rows edges(3);
    for (const engine::AttributionEdge& edge : found.edges)
        edges.add({edge.head.layer, edge.head.head, edge.key}, edge.value);
    Rows parts(3);
    for (const engine::AttributionPart& part : found.parts)
        parts.add({static_cast<int>(part.kind), part.layer, part.head}, part.value);
    Tree mlps = Tree::array();
    for (const engine::PromotedTokens& tokens : found.mlps)
        mlps.push_back(service::treeOf(tokens));
    return {{"heads", toTree(found.shape)},
            {"position", found.position},
            {"numbers", arrayOf(std::vector{found.logit, found.probability})},
            {"beforeCap", found.isBeforeCap},
            {"values", arrayOf(found.heads)},
            {"edges", edges.tree()},
            {"parts", parts.tree()},
            {"mlps", std::move(mlps)}};
}

engine::Attribution attributionFrom(const JsonReader& reader, const HeadShape& heads)
{
    engine::Attribution found;
    found.shape = headShapeFrom(reader["heads"]);
    if (found.shape != heads)
        reader.bad("is of another model");
    found.position = reader["position"].integer(0, kMostItems);
    const auto numbers = readArray<double>(reader["numbers"], 2);
    found.logit = numbers[0];
    found.probability = numbers[1];
    found.isBeforeCap = reader["beforeCap"].flag(false);
    found.heads = readArray<double>(reader["values"], static_cast<std::size_t>(heads.total()));
    const Rows edges(reader["edges"], 3);
    for (std::size_t row = 0; row < edges.size(); ++row)
        found.edges.push_back(
            {{edges.place(reader, row, 0, heads.layers), edges.place(reader, row, 1, heads.heads)},
             edges.place(reader, row, 2, found.position + 1),
             edges.value(row)});
    static constexpr int kKinds = static_cast<int>(engine::AttributionPart::Kind::FinalBias) + 1;
    const Rows parts(reader["parts"], 3);
    for (std::size_t row = 0; row < parts.size(); ++row)
        found.parts.push_back(
            {static_cast<engine::AttributionPart::Kind>(parts.place(reader, row, 0, kKinds)),
             parts.place(reader, row, 1, heads.layers), parts.place(reader, row, 2, heads.heads),
             parts.value(row)});
    if (reader["mlps"])  // an older machine says nothing of them
        for (const JsonReader& tokens : reader["mlps"].items(static_cast<std::size_t>(heads.layers)))
            found.mlps.push_back(promotedFrom(tokens));
    return found;
}

Tree treeOf(const stats::HeadScatter& scatter)
{
    Rows heads(3);
    for (std::size_t index = 0; index < scatter.heads.size(); ++index)
        heads.add({scatter.heads[index].layer, scatter.heads[index].head, scatter.clusters[index]}, 0);
    Tree weights = Tree::array();
    for (const std::vector<float>& cells : scatter.weights)
        weights.push_back(arrayOf(cells));
    return {{"tokens", scatter.pattern.queries},
            {"heads", heads.tree()},
            {"weights", std::move(weights)},
            {"correlations", arrayOf(scatter.correlations)}};
}

stats::HeadScatter scatterFrom(const JsonReader& reader, const HeadShape& heads)
{
    stats::HeadScatter scatter;
    scatter.pattern = reader["tokens"].integer(0, kMostItems);  // engines' patterns are causal
    const Rows rows(reader["heads"], 3);
    if (rows.size() > kMostScattered)
        reader.bad("has more heads than can be compared");
    const auto count = static_cast<int>(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        scatter.heads.push_back(
            {rows.place(reader, row, 0, heads.layers), rows.place(reader, row, 1, heads.heads)});
        scatter.clusters.push_back(rows.place(reader, row, 2, count));
    }
    for (const JsonReader& cells : reader["weights"].items(rows.size()))
        scatter.weights.push_back(readArray<float>(cells, static_cast<std::size_t>(scatter.pattern.cells())));
    scatter.correlations = readArray<double>(reader["correlations"], rows.size() * rows.size());
    return scatter;
}

Tree treeOf(const stats::ModelSummary& summary)
{
    return arrayOf(std::vector<double>{summary.diagonalDominance, summary.meanPeak, summary.diagonalIntensity,
                                       summary.activeEdges, static_cast<double>(summary.offDiagonalAboveHalf),
                                       static_cast<double>(summary.headsRetained),
                                       static_cast<double>(summary.heads)});
}

stats::ModelSummary summaryFrom(const JsonReader& reader)
{
    const auto numbers = readArray<double>(reader, 7);
    for (std::size_t count = 4; count < numbers.size(); ++count)
        if (!(numbers[count] >= 0 && numbers[count] < kMostItems))
            reader.bad("has a count that no model has");
    return {numbers[0],
            numbers[1],
            numbers[2],
            numbers[3],
            static_cast<std::int64_t>(numbers[4]),
            static_cast<int>(numbers[5]),
            static_cast<int>(numbers[6])};
}

Tree treeOf(const analyses::Comparison& comparison)
{
    Rows pairs(2);
    std::array<std::vector<stats::HeadStats>, 2> stats;
    std::vector<double> divergences;
    for (const analyses::HeadPair& pair : comparison.pairs) {
        pairs.add({pair.head.layer, pair.head.head}, pair.distance.totalVariation);
        divergences.push_back(pair.distance.jensenShannon);
        stats[0].push_back(pair.first);
        stats[1].push_back(pair.second);
    }
    return {{"summaries", {treeOf(comparison.first), treeOf(comparison.second)}},
            {"pairs", pairs.tree()},
            {"divergences", arrayOf(divergences)},
            {"rows", comparison.rows},
            {"stats", {arrayOf(numbersOf(stats[0])), arrayOf(numbersOf(stats[1]))}}};
}

analyses::Comparison comparisonFrom(const JsonReader& reader, const HeadShape& heads)
{
    analyses::Comparison comparison;
    comparison.first = summaryFrom(reader["summaries"][0]);
    comparison.second = summaryFrom(reader["summaries"][1]);
    comparison.rows = reader["rows"].integer(0, kMostItems, 0);
    const Rows pairs(reader["pairs"], 2);
    const auto divergences = readArray<double>(reader["divergences"], pairs.size());
    const std::size_t numbers = pairs.size() * numbersOf(std::array<stats::HeadStats, 1>()).size();
    const auto first = statsOf(readArray<float>(reader["stats"][0], numbers));
    const auto second = statsOf(readArray<float>(reader["stats"][1], numbers));
    for (std::size_t row = 0; row < pairs.size(); ++row)
        comparison.pairs.push_back(
            {{pairs.place(reader, row, 0, heads.layers), pairs.place(reader, row, 1, heads.heads)},
             first[row],
             second[row],
             {pairs.value(row), divergences[row]}});
    return comparison;
}

Tree treeOf(const stats::TokenFlow& flow)
{
    Rows edges(4);
    for (const stats::FlowEdge& edge : flow.edges)
        edges.add({edge.head.layer, edge.head.head, edge.query, edge.key}, static_cast<double>(edge.weight));
    Tree tree = {{"layers", flow.layers},
                 {"tokens", flow.tokens},
                 {"threshold", flow.threshold},
                 {"edges", edges.tree()},
                 {"ways", arrayOf(flow.ways)}};
    if (!flow.rollout.empty())
        tree["rollout"] = arrayOf(flow.rollout);
    return tree;
}

stats::TokenFlow flowFrom(const JsonReader& reader, const HeadShape& heads)
{
    stats::TokenFlow flow;
    flow.layers = reader["layers"].integer(heads.layers, heads.layers);
    flow.tokens = reader["tokens"].integer(0, kMostItems);
    flow.threshold = reader["threshold"].number();
    const Rows edges(reader["edges"], 4);
    for (std::size_t row = 0; row < edges.size(); ++row)
        flow.edges.push_back(
            {{edges.place(reader, row, 0, heads.layers), edges.place(reader, row, 1, heads.heads)},
             edges.place(reader, row, 2, flow.tokens),
             edges.place(reader, row, 3, flow.tokens),
             static_cast<float>(edges.value(row))});
    const auto side = static_cast<std::size_t>(flow.tokens);
    flow.ways = readArray<double>(reader["ways"], side * side);
    if (const JsonReader rollout = reader["rollout"])
        flow.rollout = readArray<double>(rollout, side * side);
    return flow;
}

Tree treeOf(const analyses::History& history)
{
    return analyses::toJson(history);
}

Tree treeOf(const analyses::SetResult& result)
{
    return toTree(result);
}

}  // namespace

Tree toTree(const AnalysisResult& result)
{
    return std::visit([](const auto& found) { return treeOf(found); }, result);
}

AnalysisResult analysisResultFrom(const JsonReader& reader, AnalysisKind kind, const HeadShape& heads)
{
    switch (kind) {
    case AnalysisKind::Sweep: {
        analyses::Sweep sweep = analyses::sweepFrom(reader);
        if (sweep.shape != heads)
            reader.bad("is of another model");
        return sweep;
    }
    case AnalysisKind::Circuit: return analyses::circuitFrom(reader);
    case AnalysisKind::Attribution: return attributionFrom(reader, heads);
    case AnalysisKind::Scatter: return scatterFrom(reader, heads);
    case AnalysisKind::Flow: return flowFrom(reader, heads);
    case AnalysisKind::Graph: return featureGraphFrom(reader, heads);
    case AnalysisKind::EdgeHeads: return edgeHeadsFrom(reader, heads);
    case AnalysisKind::Prompts: return setResultFrom(reader);
    case AnalysisKind::Lens: return promptLensFrom(reader, heads);
    case AnalysisKind::Saliency: return saliencyFrom(reader);
    case AnalysisKind::HeadWords: return headWordsFrom(reader, heads);
    case AnalysisKind::History: {
        analyses::History history = analyses::historyFrom(reader);
        if (!history.heads.hasSameHeads(heads))
            reader.bad("is of another model");
        return history;
    }
    case AnalysisKind::Compare: break;
    }
    return comparisonFrom(reader, heads);
}

}  // namespace hs::service
