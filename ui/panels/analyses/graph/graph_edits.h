#pragma once

#include "panels/analyses/graph/shown_graph.h"

namespace hs::panels {

using ShownGraphs = std::array<ShownGraph, 2>;  // [Side]

// Edits of a document from what graphs show: each is one step.

/// Picks a node, and asks for the heads that carry its strongest edge; on the other side, for those of the edge between
/// the same tokens. Adding keeps what is picked, or takes the node away again if it was.
void pickNode(control::Document& document, Side side, const ShownGraphs& graphs, int node, bool isAdded);
/// Picks both ends of an edge, and asks for the heads that carry it.
void pickEdge(control::Document& document, Side side, const ShownGraphs& graphs,
              const figures::ViewEdge& edge);
void pickNothing(control::Document& document);

/// Makes one group of the picked features, whatever group they were in.
void groupPicked(control::Document& document, Side side, const std::string& name);
/// Dissolves the groups that hold a picked node.
void ungroupPicked(control::Document& document, Side side);
/// Groups features whose edges are alike, in place of all groups; they are named by what they are.
void groupAlike(control::Document& document, Side side, const ShownGraph& shown);

/// Switches the features among these nodes off in the side's run, or on again.
void switchFeatures(control::Document& document, Side side, const std::vector<features::NodeId>& nodes,
                    bool isOff);
/// Whether all features among these nodes are switched off.
bool areOff(const control::GraphChoice& choice, const std::vector<features::NodeId>& nodes);

/// Whether several features of a side are picked, which can be grouped.
bool canGroup(const control::GraphChoice& choice);

}  // namespace hs::panels
