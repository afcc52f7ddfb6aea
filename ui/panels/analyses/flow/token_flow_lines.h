#pragma once

#include "base/cell_id.h"
#include "stats/token_flow.h"

#include <optional>
#include <vector>

namespace hs::panels {

/// One line of the diagram: the edges that heads of a layer have in the same cell.
struct FlowLine {
    int layer = 0;
    CellId cell;
    std::vector<stats::FlowEdge> edges;  // strongest first

    float weight() const { return edges.front().weight; }
};

/// An end of the diagram: a token below the first layer, or above the last.
struct FlowEnd {
    int token = 0;
    bool isTop = false;

    friend bool operator==(const FlowEnd&, const FlowEnd&) = default;
};

/// The strongest lines of a flow, at most `most`, strongest first.
std::vector<FlowLine> strongestLines(const stats::TokenFlow& flow, std::size_t most);

/// How many lines a flow has in all.
std::size_t countLines(const stats::TokenFlow& flow);

/// Which tokens can be reached from a bottom end, or can reach a top end, through edges and streams, at every
/// level. [level, token]; level 0 is below the first layer.
class FlowReach {
public:
    FlowReach() = default;
    FlowReach(const stats::TokenFlow& flow, FlowEnd end);

    bool holds(int level, int token) const;
    /// Whether the line lies on a way from or to the end.
    bool holds(const FlowLine& line) const;
    /// Tokens at the other end of the ways.
    std::vector<int> farTokens() const;

private:
    int m_layers = 0;
    int m_tokens = 0;
    bool m_isTop = false;
    std::vector<char> m_isReached;  // [level, token]
};

}  // namespace hs::panels
