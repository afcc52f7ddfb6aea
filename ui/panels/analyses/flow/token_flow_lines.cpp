#include "panels/analyses/flow/token_flow_lines.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace hs::panels {

std::vector<FlowLine> strongestLines(const stats::TokenFlow& flow, std::size_t most)
{
    std::vector<FlowLine> lines;
    std::map<std::pair<int, CellId>, std::size_t> places;
    // Edges come strongest first, and so do the lines that they begin.
    for (const stats::FlowEdge& edge : flow.edges) {
        const CellId cell{edge.query, edge.key};
        const auto place = places.find({edge.head.layer, cell});
        if (place != places.end()) {
            lines[place->second].edges.push_back(edge);
        } else if (lines.size() < most) {
            places.emplace(std::pair(edge.head.layer, cell), lines.size());
            lines.push_back({edge.head.layer, cell, {edge}});
        }
    }
    return lines;
}

std::size_t countLines(const stats::TokenFlow& flow)
{
    std::set<std::pair<int, CellId>> cells;
    for (const stats::FlowEdge& edge : flow.edges)
        cells.insert({edge.head.layer, {edge.query, edge.key}});
    return cells.size();
}

FlowReach::FlowReach(const stats::TokenFlow& flow, FlowEnd end)
    : m_layers(flow.layers), m_tokens(flow.tokens), m_isTop(end.isTop),
      m_isReached(static_cast<std::size_t>(flow.layers + 1) * static_cast<std::size_t>(flow.tokens))
{
    if (end.token < 0 || end.token >= flow.tokens)
        return;
    std::vector<std::vector<CellId>> cells(static_cast<std::size_t>(flow.layers));
    for (const stats::FlowEdge& edge : flow.edges)
        cells[static_cast<std::size_t>(edge.head.layer)].push_back({edge.query, edge.key});
    const auto at = [this](int level, int token) -> char& {
        return m_isReached[static_cast<std::size_t>(level * m_tokens + token)];
    };
    at(end.isTop ? m_layers : 0, end.token) = 1;
    for (int step = 0; step < m_layers; ++step) {
        const int layer = end.isTop ? m_layers - 1 - step : step;
        const int from = end.isTop ? layer + 1 : layer;
        const int to = end.isTop ? layer : layer + 1;
        for (int token = 0; token < m_tokens; ++token)
            at(to, token) = at(from, token);
        for (const CellId cell : cells[static_cast<std::size_t>(layer)])
            if (at(from, end.isTop ? cell.query : cell.key))
                at(to, end.isTop ? cell.key : cell.query) = 1;
    }
}

bool FlowReach::holds(int level, int token) const
{
    return level >= 0 && level <= m_layers && token >= 0 && token < m_tokens &&
           m_isReached[static_cast<std::size_t>(level * m_tokens + token)];
}

bool FlowReach::holds(const FlowLine& line) const
{
    return m_isTop ? holds(line.layer + 1, line.cell.query) : holds(line.layer, line.cell.key);
}

std::vector<int> FlowReach::farTokens() const
{
    std::vector<int> tokens;
    for (int token = 0; token < m_tokens; ++token)
        if (holds(m_isTop ? 0 : m_layers, token))
            tokens.push_back(token);
    return tokens;
}

}  // namespace hs::panels
