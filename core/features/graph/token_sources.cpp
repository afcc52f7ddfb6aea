#include "features/graph/token_sources.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hs::features {
namespace {

using Kind = GraphNode::Kind;

bool isEmbedding(const GraphNode& node)
{
    return node.kind == Kind::Token || node.kind == Kind::Position;
}

/// How much each node matters: a feature by its influence, a logit by its part of the probability. [node]
std::vector<double> importanceOf(const Graph& graph)
{
    double probability = 0;
    for (const GraphNode& node : graph.nodes)
        probability += node.kind == Kind::Logit ? node.probability : 0;
    std::vector<double> importance;
    for (const GraphNode& node : graph.nodes)
        importance.push_back(node.kind != Kind::Logit ? node.influence
                             : probability > 0        ? node.probability / probability
                                                      : 1);
    return importance;
}

/// The target of a source that it influences most, at the given place or, without one, anywhere else.
std::optional<int> targetOf(const Graph& graph, const TokenSource& source, std::optional<int> place)
{
    std::vector<double> inputs;  // [node] sizes of all edges into it
    for (const double rest : graph.rests)
        inputs.push_back(std::abs(rest));
    std::map<int, double> weights;  // by target
    for (const GraphEdge& edge : graph.edges) {
        inputs[static_cast<std::size_t>(edge.target)] += std::abs(edge.weight);
        const int position = graph.nodes[static_cast<std::size_t>(edge.target)].position;
        if (position != source.position && position == place.value_or(position) &&
            std::ranges::find(source.nodes, edge.source) != source.nodes.end())
            weights[edge.target] += edge.weight;
    }
    const std::vector<double> importance = importanceOf(graph);
    std::optional<int> best;
    double most = 0;
    for (const auto& [target, weight] : weights) {
        const auto at = static_cast<std::size_t>(target);
        if (const double effect = std::abs(weight) / inputs[at] * importance[at]; effect > most) {
            most = effect;
            best = target;
        }
    }
    return best;
}

}  // namespace

std::optional<int> logitOf(const Graph& graph)
{
    const auto found = std::ranges::find(graph.nodes, Kind::Logit, &GraphNode::kind);
    return found == graph.nodes.end() ? std::nullopt
                                      : std::optional(static_cast<int>(found - graph.nodes.begin()));
}

std::vector<TokenSource> tokenSources(const Graph& graph, double nodeShare)
{
    std::map<int, TokenSource> byPosition;
    double all = 0;
    const auto take = [&](std::size_t index) {
        const GraphNode& node = graph.nodes[index];
        TokenSource& source = byPosition[node.position];
        source.position = node.position;
        source.nodes.push_back(static_cast<int>(index));
        if (isEmbedding(node))
            source.share += node.influence;
    };
    std::vector<std::size_t> features;
    for (std::size_t index = 0; index < graph.nodes.size(); ++index)
        if (graph.nodes[index].kind == Kind::Feature && graph.nodes[index].rank <= nodeShare)
            features.push_back(index);
    std::ranges::stable_sort(features, std::ranges::greater(),
                             [&](std::size_t index) { return graph.nodes[index].influence; });
    std::ranges::for_each(features, take);
    for (std::size_t index = 0; index < graph.nodes.size(); ++index)
        if (isEmbedding(graph.nodes[index]) && graph.nodes[index].influence > 0) {
            take(index);
            all += graph.nodes[index].influence;
        }
    std::vector<TokenSource> sources;
    for (auto& [position, source] : byPosition) {
        source.share *= all > 0 ? graph.replacement / all : 0;
        sources.push_back(std::move(source));
    }
    std::ranges::stable_sort(sources, std::ranges::greater(), &TokenSource::share);
    return sources;
}

std::optional<Crossing> crossingFrom(const Graph& graph, const std::vector<TokenSource>& sources,
                                     std::optional<int> position)
{
    const std::optional<int> logit = logitOf(graph);
    if (!logit)
        return std::nullopt;
    const int query = graph.nodes[static_cast<std::size_t>(*logit)].position;
    for (const std::optional<int> place : {std::optional(query), std::optional<int>()})
        for (const TokenSource& source : sources)
            if (source.position == position.value_or(source.position))
                if (const auto target = targetOf(graph, source, place))
                    return Crossing{source, *target};
    return std::nullopt;
}

}  // namespace hs::features
