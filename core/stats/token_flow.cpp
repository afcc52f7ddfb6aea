#include "stats/token_flow.h"

#include "base/cell_id.h"
#include "base/failure.h"
#include "base/text_format.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace hs::stats {
namespace {

constexpr std::size_t kMostEdges = 5'000'000;  // take 100 MB

std::size_t cellOf(int tokens, int query, int key)
{
    return static_cast<std::size_t>(query) * static_cast<std::size_t>(tokens) + static_cast<std::size_t>(key);
}

/// The cells in which any head of each layer has an edge, each once. [layer]
std::vector<std::vector<CellId>> openCells(const TokenFlow& flow)
{
    std::vector<std::vector<CellId>> cells(static_cast<std::size_t>(flow.layers));
    for (const FlowEdge& edge : flow.edges)
        cells[static_cast<std::size_t>(edge.head.layer)].push_back({edge.query, edge.key});
    for (std::vector<CellId>& layer : cells) {
        std::sort(layer.begin(), layer.end());
        layer.erase(std::unique(layer.begin(), layer.end()), layer.end());
    }
    return cells;
}

/// The ways above a layer, from those below it. [query, key]
std::vector<double> waysThrough(const std::vector<CellId>& layer, const std::vector<double>& below,
                                int tokens, bool isCausal)
{
    std::vector<double> above = below;
    for (const CellId& cell : layer)
        for (int from = 0; from < (isCausal ? cell.key + 1 : tokens); ++from) {
            double& ways = above[cellOf(tokens, cell.query, from)];
            // Deep models over long prompts have more ways than a double can hold.
            ways = std::min(ways + below[cellOf(tokens, cell.key, from)], std::numeric_limits<double>::max());
        }
    return above;
}

using Positions = std::vector<char>;

}  // namespace

TokenFlowBuilder::TokenFlowBuilder(int layers, const PatternShape& shape, double threshold)
{
    if (!shape.isSquare())
        fail(ErrorCode::BadRequest, "Flow follows tokens from layer to layer, and here queries and keys are "
                                    "different tokens; choose maps with as many keys as queries.");
    m_flow.layers = layers;
    m_flow.tokens = shape.queries;
    m_flow.isCausal = shape.isCausal;
    m_flow.threshold = threshold;
}

void TokenFlowBuilder::add(HeadId head, const float* pattern)
{
    const auto least = static_cast<float>(m_flow.threshold);
    for (int query = 0; query < m_flow.tokens; ++query)
        for (int key = 0; key < (m_flow.isCausal ? query + 1 : m_flow.tokens); ++key) {
            const float weight = pattern[cellOf(m_flow.tokens, query, key)];
            if (weight > 0 && weight >= least)
                m_flow.edges.push_back({head, query, key, weight});
        }
    if (m_flow.edges.size() > kMostEdges)
        fail(ErrorCode::TooLarge, "More than " + formatCount(kMostEdges) +
                                      " weights reach the threshold; raise it or shorten the prompt.");
}

std::vector<FlowEdge> TokenFlowBuilder::takeEdges()
{
    std::stable_sort(m_flow.edges.begin(), m_flow.edges.end(),
                     [](const FlowEdge& a, const FlowEdge& b) { return a.weight > b.weight; });
    return std::move(m_flow.edges);
}

TokenFlow TokenFlowBuilder::finish()
{
    m_flow.edges = takeEdges();
    m_flow.ways.assign(cellOf(m_flow.tokens, m_flow.tokens, 0), 0);
    for (int token = 0; token < m_flow.tokens; ++token)
        m_flow.ways[cellOf(m_flow.tokens, token, token)] = 1;
    for (const std::vector<CellId>& layer : openCells(m_flow))
        m_flow.ways = waysThrough(layer, m_flow.ways, m_flow.tokens, m_flow.isCausal);
    return std::move(m_flow);
}

std::vector<FlowEdge> edgesBetween(const TokenFlow& flow, int key, int query)
{
    if (!PatternShape(flow.tokens, flow.tokens, flow.isCausal).contains(query, key))
        return {};
    const std::vector<std::vector<CellId>> cells = openCells(flow);
    const auto layers = static_cast<std::size_t>(flow.layers);
    // Positions that the key reaches below each layer, and those that reach the query above it.
    std::vector<Positions> reached(layers + 1, Positions(static_cast<std::size_t>(flow.tokens)));
    std::vector<Positions> reaching = reached;
    reached.front()[static_cast<std::size_t>(key)] = 1;
    reaching.back()[static_cast<std::size_t>(query)] = 1;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        reached[layer + 1] = reached[layer];
        for (const CellId& cell : cells[layer])
            if (reached[layer][static_cast<std::size_t>(cell.key)])
                reached[layer + 1][static_cast<std::size_t>(cell.query)] = 1;
    }
    for (std::size_t layer = layers; layer-- > 0;) {
        reaching[layer] = reaching[layer + 1];
        for (const CellId& cell : cells[layer])
            if (reaching[layer + 1][static_cast<std::size_t>(cell.query)])
                reaching[layer][static_cast<std::size_t>(cell.key)] = 1;
    }
    std::vector<FlowEdge> between;
    std::copy_if(flow.edges.begin(), flow.edges.end(), std::back_inserter(between),
                 [&](const FlowEdge& edge) {
                     const auto layer = static_cast<std::size_t>(edge.head.layer);
                     return reached[layer][static_cast<std::size_t>(edge.key)] &&
                            reaching[layer + 1][static_cast<std::size_t>(edge.query)];
                 });
    return between;
}

}  // namespace hs::stats
