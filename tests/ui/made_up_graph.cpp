#include "ui/made_up_graph.h"

namespace hs::test {
namespace {

using Kind = features::GraphNode::Kind;

constexpr std::size_t kCarriedEdges = 6;

class GraphMaker {
public:
    GraphMaker(int layers, const std::vector<std::int64_t>& tokens)
        : m_last(static_cast<int>(tokens.size()) - 1)
    {
        m_graph.tokens = tokens;
        m_graph.layers = layers;
        m_graph.fvu.assign(static_cast<std::size_t>(layers), 0.125);
        m_graph.replacement = 0.75;
        m_graph.completeness = 0.875;
        m_graph.constants = 0.0625;
    }

    int add(Kind kind, int layer, int position, std::int64_t index, double influence)
    {
        m_graph.nodes.push_back({kind, layer, position, index, 1.0 + layer, 0, influence, 0});
        return static_cast<int>(m_graph.nodes.size()) - 1;
    }
    void link(int source, int target, double weight) { m_graph.edges.push_back({target, source, weight}); }
    int last() const { return m_last; }
    features::GraphNode& node(int index) { return m_graph.nodes[static_cast<std::size_t>(index)]; }

    features::Graph finish()
    {
        double total = 0, sum = 0;
        for (const features::GraphNode& node : m_graph.nodes)
            total += node.influence;
        for (features::GraphNode& node : m_graph.nodes)
            node.rank = (sum += node.influence) / total;
        m_graph.allNodes = 2 * static_cast<int>(m_graph.nodes.size());
        m_graph.allEdges = 3 * static_cast<std::int64_t>(m_graph.edges.size());
        m_graph.rests.assign(m_graph.nodes.size(), 0.0);
        return std::move(m_graph);
    }

private:
    int m_last;
    features::Graph m_graph;
};

}  // namespace

service::FeatureGraph madeUpGraph(const HeadShape& shape, const std::vector<std::int64_t>& tokens)
{
    GraphMaker maker(shape.layers, tokens);
    const int first = maker.add(Kind::Logit, 0, maker.last(), 3, 0);
    const int second = maker.add(Kind::Logit, 0, maker.last(), 5, 0);
    maker.node(first).probability = 0.75;
    maker.node(second).probability = 0.125;
    std::vector<int> words;
    for (int position = 0; position <= maker.last(); ++position)
        words.push_back(maker.add(Kind::Token, 0, position, tokens[static_cast<std::size_t>(position)], 0.1));
    std::vector<int> before;  // [position] the layer below
    for (int layer = 0; layer + 1 < shape.layers; ++layer) {
        std::vector<int> now;
        for (int position = 0; position <= maker.last(); ++position) {
            now.push_back(maker.add(Kind::Feature, layer, position, madeUpFeature(layer, position),
                                    1.0 / (1 + layer) / (1 + position)));
            maker.link(words[static_cast<std::size_t>(position)], now.back(), 0.5 + position);
            maker.link(now.back(), first, 4.0 / (1 + layer) / (1 + position));
            maker.link(now.back(), second, -0.5 / (1 + layer) / (1 + position));
            if (layer > 0 && position > 0)
                maker.link(before[static_cast<std::size_t>(position - 1)], now.back(), 0.25);
        }
        before = now;
        maker.link(maker.add(Kind::Error, layer, maker.last(), 0, 0.01), first, 0.125);
    }
    maker.link(maker.add(Kind::Constant, 0, 0, 0, 0.05), first, 0.5);

    service::FeatureGraph found;
    found.graph = maker.finish();
    found.shape = shape;
    found.coders = "made-up";
    for (const features::GraphNode& node : found.graph.nodes)
        if (node.kind == Kind::Feature && node.position == 1)
            found.texts.push_back({{node.layer, static_cast<int>(node.index)},
                                   node.layer == 0 ? "a name" : "",
                                   std::nullopt,
                                   {{"Mary", 3, "When Mary and", 5}, {"John", 2, "and John went", 4}},
                                   {{" to", 1.5, "", 0}},
                                   {{" of", -1.5, "", 0}}});
    for (const int edge : service::crossingEdges(found.graph, kCarriedEdges)) {
        std::vector<double> loads(static_cast<std::size_t>(shape.total()), 0);
        loads[static_cast<std::size_t>(shape.indexOf({shape.layers - 1, edge % shape.heads}))] =
            found.graph.edges[static_cast<std::size_t>(edge)].weight;
        found.carried.push_back({edge, std::move(loads)});
    }
    return found;
}

}  // namespace hs::test
