#pragma once

#include "base/head_id.h"
#include "stats/pattern_shape.h"

#include <vector>

namespace hs::stats {

/// A cell through which a head moves something: from `key` below a layer to `query` above it.
struct FlowEdge {
    HeadId head;
    int query = 0;
    int key = 0;
    float weight = 0;

    friend bool operator==(const FlowEdge&, const FlowEdge&) = default;
};

/// Which tokens can reach which through active edges, layer by layer.
struct TokenFlow {
    int layers = 0;
    int tokens = 0;
    bool isCausal = true;         // no edge leads to an earlier token
    double threshold = 0;         // weights below it are not edges
    std::vector<FlowEdge> edges;  // strongest first
    /// Ways from `key` below the first layer to `query` above the last: the product over the layers of
    /// A + I, where A is 1 at the cells where any head has an edge. [query, key]
    std::vector<double> ways;
    std::vector<double> rollout;  // see AttentionRollout; empty unless it was asked for. [query, key]
};

/// Collects edges layer by layer, from the first one on.
class TokenFlowBuilder {
public:
    /// Fails for keys that are not the queries' tokens: what one layer moves, the next cannot take up.
    TokenFlowBuilder(int layers, const PatternShape& shape, double threshold);

    /// Adds one head's pattern. [query, key] Fails when there are more edges than any picture can show.
    void add(HeadId head, const float* pattern);
    /// The edges alone, strongest first.
    std::vector<FlowEdge> takeEdges();
    TokenFlow finish();

private:
    TokenFlow m_flow;
};

/// The edges on any way from `key` at the bottom to `query` at the top.
std::vector<FlowEdge> edgesBetween(const TokenFlow& flow, int key, int query);

}  // namespace hs::stats
