#pragma once

#include "features/graph/edge_heads.h"
#include "features/texts/feature_texts.h"

#include <string>
#include <vector>

namespace hs::service {

/// What the heads of a model carry of one edge of a graph.
struct CarriedEdge {
    int edge = 0;               // its index in the graph
    std::vector<double> loads;  // [layer * head]

    friend bool operator==(const CarriedEdge&, const CarriedEdge&) = default;
};

/// An attribution graph, with words for its features and what heads carry of its strongest edges.
struct FeatureGraph {
    features::Graph graph;
    HeadShape shape;
    std::string coders;                         // name of the set of transcoders
    std::vector<std::string> notes;             // about that set, and about how well it reconstructs
    std::vector<features::FeatureTexts> texts;  // of the graph's features, by id
    std::vector<CarriedEdge> carried;           // from token to token, strongest edge first

    /// Null if there are none.
    const features::FeatureTexts* textsOf(FeatureId feature) const;

    friend bool operator==(const FeatureGraph&, const FeatureGraph&) = default;
};

/// Of influence, which the nodes of a window's graph have: it shows less of them without another run.
inline constexpr double kGraphShare = 0.95;

/// The strongest edges of a graph that lead from one token to another: those that heads must have carried.
std::vector<int> crossingEdges(const features::Graph& graph, std::size_t most);

/// What is asked about features besides a prompt and a target.
struct GraphSetup {
    std::string coders;                     // folder of transcoders; empty: the one beside the model
    std::vector<features::NodeId> sources;  // for EdgeHeads: the edge's ends
    std::vector<features::NodeId> targets;

    friend bool operator==(const GraphSetup&, const GraphSetup&) = default;
};

}  // namespace hs::service
