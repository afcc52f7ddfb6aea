#pragma once

#include "features/graph/graph.h"

#include <string>

namespace hs::features {

/// Nodes of one meaning, which a reader looks at as one.
struct Supernode {
    std::string name;
    std::vector<NodeId> members;

    friend bool operator==(const Supernode&, const Supernode&) = default;
};

/// Layers that something covers, both included.
struct LayerSpan {
    int first = 0;
    int last = 0;

    friend bool operator==(const LayerSpan&, const LayerSpan&) = default;
};

LayerSpan spanOf(const Supernode& supernode);

/// Features of one position whose edges are alike: the cosine of what comes in and what goes out, together, is at
/// least `likeness` with every member. Features like no other are left out; names are empty.
std::vector<Supernode> groupFeatures(const Graph& graph, double likeness = 0.7);

}  // namespace hs::features
