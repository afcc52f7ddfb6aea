#pragma once

#include "base/enum_words.h"
#include "base/hooks.h"
#include "base/result.h"
#include "engine/request/run_request.h"
#include "features/coders/transcoders.h"

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hs::features {

/// A node of an attribution graph. Features, errors, tokens, positions and the constant are sources; features
/// and logits are targets.
struct GraphNode {
    enum class Kind {
        Feature,
        Error,     // what the transcoders leave out of an MLP's output
        Token,     // its embedding
        Position,  // a learned one's embedding
        Constant,  // all biases, as far as they reach a target
        Logit,
    };
    Kind kind = Kind::Feature;
    int layer = 0;           // of Feature and Error
    int position = 0;        // none of Constant
    std::int64_t index = 0;  // the feature's, or the vocabulary id of Token and Logit
    double activation = 0;   // of Feature; logit of Logit
    double probability = 0;  // of Logit
    double influence = 0;    // on the logits, over all paths
    double rank = 0;         // share of all influence of the nodes up to this one: small is important

    friend bool operator==(const GraphNode&, const GraphNode&) = default;
};

constexpr auto enumWords(GraphNode::Kind)
{
    using Kind = GraphNode::Kind;
    return std::to_array<EnumWord<Kind>>({{Kind::Feature, "feature"},
                                          {Kind::Error, "error"},
                                          {Kind::Token, "token"},
                                          {Kind::Position, "position"},
                                          {Kind::Constant, "constant"},
                                          {Kind::Logit, "logit"}});
}

/// Which node of a run's graph, whatever its place in a list.
struct NodeId {
    GraphNode::Kind kind = GraphNode::Kind::Feature;
    int layer = 0;
    int position = 0;
    std::int64_t index = 0;

    friend auto operator<=>(const NodeId&, const NodeId&) = default;
};

inline NodeId idOf(const GraphNode& node)
{
    return {node.kind, node.layer, node.position, node.index};
}

/// What a source adds to a target's pre-activation or logit, all else held. Indices of nodes.
struct GraphEdge {
    int target = 0;
    int source = 0;
    double weight = 0;

    friend bool operator==(const GraphEdge&, const GraphEdge&) = default;
};

struct GraphOptions {
    int logits = 10;           // at most
    double logitShare = 0.95;  // of probability, which they reach
    int features = 1000;       // at most, as targets
    double nodeShare = 0.8;    // of influence that the nodes kept have
    double edgeShare = 0.98;   // of the edges' scores that those kept have

    friend bool operator==(const GraphOptions&, const GraphOptions&) = default;
};

/// The attribution graph of a run, pruned.
struct Graph {
    std::vector<std::int64_t> tokens;
    int layers = 0;
    Place place = Place::MlpInput;  // where the encoders read
    std::vector<double> fvu;        // [layer] unexplained share of the MLPs' outputs on this prompt
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
    int allNodes = 0;                         // before pruning
    std::int64_t allEdges = 0;                // that are not zero
    double replacement = 0;                   // share of influence that comes from tokens, not from errors
    double completeness = 0;                  // share of what nodes get that does not come from errors
    double constants = 0;                     // share of what nodes get that comes from constants
    std::vector<double> rests;                // [node] what pruning left out of its row, so that rows add up
    std::optional<std::int64_t> versus = {};  // set: logits are those minus this token's
    double meanLogit = 0;  // over the vocabulary; a row adds up to its logit minus this, or to the difference

    friend bool operator==(const Graph&, const Graph&) = default;
};

/// Everything a graph depends on.
struct GraphRequest {
    engine::RunRequest run;
    std::shared_ptr<const Transcoders> coders;
    GraphOptions options;
    int position = -1;                           // whose prediction it is; -1: the last one
    std::optional<std::int64_t> target, versus;  // no target: the most probable tokens
};

Result<Graph> makeGraph(const GraphRequest& request, const Hooks& hooks = {});

}  // namespace hs::features
