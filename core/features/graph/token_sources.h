#pragma once

#include "features/graph/graph.h"

#include <optional>
#include <vector>

namespace hs::features {

/// A token of the prompt as a source of a prediction: its embedding and the features that fire there.
struct TokenSource {
    int position = 0;
    double share = 0;        // of all influence on the logits: what starts at this token's embedding
    std::vector<int> nodes;  // of the graph: the most influential features, then the embedding

    friend bool operator==(const TokenSource&, const TokenSource&) = default;
};

/// Tokens from which influence starts, or through which it passes; the largest share first. Shares add up to what does
/// not start in errors. Only features among the nodes that have `nodeShare` of the influence count.
std::vector<TokenSource> tokenSources(const Graph& graph, double nodeShare = GraphOptions().nodeShare);

/// What leads from one token to another: all nodes of the one, and the node at the other on which they have the most
/// influence.
struct Crossing {
    TokenSource source;
    int target = 0;

    friend bool operator==(const Crossing&, const Crossing&) = default;
};

/// The crossing from a token, by default from the one of the largest share that has any, to the place of the prediction;
/// to any other token if nothing leads there.
std::optional<Crossing> crossingFrom(const Graph& graph, const std::vector<TokenSource>& sources,
                                     std::optional<int> position = {});

/// The first logit, which is the wanted or the most probable one.
std::optional<int> logitOf(const Graph& graph);

}  // namespace hs::features
