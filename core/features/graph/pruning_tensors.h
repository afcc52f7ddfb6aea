#pragma once

#include "features/graph/graph.h"
#include "features/graph/influence_tensors.h"

namespace hs::features {

/// A graph before it is pruned: rows of targets over sources that are targets themselves, errors, tokens and
/// positions, and what else is in the rows.
struct FullGraph {
    std::vector<GraphNode> sources;  // [column]
    std::vector<GraphNode> logits;   // of the rows of kind Logit, in their order
    std::vector<RowTarget> targets;  // [row]; logits come first
    at::Tensor rows;                 // [row, column] float, on the processor
    std::vector<double> constants;   // [row] what comes from constants
    std::vector<double> rest;        // [row] what comes from sources that are not listed
};

/// Scores of the whole, and of the nodes and edges those that matter: the fewest nodes and then edges that
/// have the shares asked for; tokens, positions, logits and the constant stay.
Graph pruned(const FullGraph& full, const GraphOptions& options);

}  // namespace hs::features
