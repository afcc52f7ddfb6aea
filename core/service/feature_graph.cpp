#include "service/feature_graph.h"

#include <algorithm>
#include <cmath>

namespace hs::service {

const features::FeatureTexts* FeatureGraph::textsOf(FeatureId feature) const
{
    const auto found = std::ranges::lower_bound(texts, feature, {}, &features::FeatureTexts::feature);
    return found != texts.end() && found->feature == feature ? &*found : nullptr;
}

std::vector<int> crossingEdges(const features::Graph& graph, std::size_t most)
{
    const auto node = [&](int index) -> const features::GraphNode& {
        return graph.nodes[static_cast<std::size_t>(index)];
    };
    std::vector<int> edges;
    for (std::size_t index = 0; index < graph.edges.size(); ++index) {
        const features::GraphEdge& edge = graph.edges[index];
        const features::GraphNode& source = node(edge.source);
        if (source.kind != features::GraphNode::Kind::Constant &&
            source.position != node(edge.target).position)
            edges.push_back(static_cast<int>(index));
    }
    std::ranges::stable_sort(edges, std::ranges::greater(), [&](int index) {
        return std::abs(graph.edges[static_cast<std::size_t>(index)].weight);
    });
    edges.resize(std::min(edges.size(), most));
    return edges;
}

}  // namespace hs::service
