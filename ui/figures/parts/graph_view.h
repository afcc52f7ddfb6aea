#pragma once

#include "features/graph/supernodes.h"

#include <QString>

#include <optional>
#include <vector>

namespace hs::figures {

/// What is drawn as one node: a node of a graph, or the members of a supernode.
struct ViewNode {
    features::GraphNode::Kind kind = features::GraphNode::Kind::Feature;
    int position = 0;
    features::LayerSpan layers;
    std::vector<int> members;  // nodes of the graph, at least one
    QString name;              // of a supernode, or of a feature; may be empty
    double influence = 0;      // of the members together
    bool isGroup = false;
    bool isOwnName = false;  // whether the user gave the name
};

/// An edge between nodes of a view; of supernodes, the sum of their members' edges.
struct ViewEdge {
    int source = 0;
    int target = 0;
    double weight = 0;
};

/// The part of a graph that is drawn.
struct GraphView {
    int layers = 0;
    int tokens = 0;
    std::vector<ViewNode> nodes;
    std::vector<ViewEdge> edges;  // strongest first

    /// The node that a node of the graph is drawn as; none if it is left out.
    std::optional<int> nodeOf(int member) const;
};

/// Tokens and logits, and the nodes that have the share of influence together; features and errors that reach
/// nothing in it are left out. Groups without members here are left out, too.
GraphView viewOf(const features::Graph& graph, double share,
                 const std::vector<features::Supernode>& groups = {});

/// The nodes of a graph with these ids that it has, as indices.
std::vector<int> indicesOf(const features::Graph& graph, const std::vector<features::NodeId>& ids);

/// The level at which a node is drawn: 0 is that of tokens, `layers` + 1 that of logits.
int levelOf(const ViewNode& node, int layers);

}  // namespace hs::figures
