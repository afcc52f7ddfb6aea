#include "panels/analyses/graph/shown_graph.h"

#include "control/document/feature_words.h"
#include "panels/analyses/token_words.h"
#include "render/translate.h"

#include <algorithm>

namespace hs::panels {
namespace {

using Kind = features::GraphNode::Kind;

FeatureId featureOf(const features::GraphNode& node)
{
    return {node.layer, static_cast<int>(node.index)};
}

}  // namespace

const features::GraphNode& ShownGraph::firstOf(int node) const
{
    const figures::ViewNode& drawn = view.nodes[static_cast<std::size_t>(node)];
    return graph().nodes[static_cast<std::size_t>(drawn.members.front())];
}

std::vector<features::NodeId> ShownGraph::idsOf(int node) const
{
    std::vector<features::NodeId> ids;
    for (const int member : view.nodes[static_cast<std::size_t>(node)].members)
        ids.push_back(features::idOf(graph().nodes[static_cast<std::size_t>(member)]));
    return ids;
}

std::vector<int> ShownGraph::nodesWith(const std::vector<features::NodeId>& ids) const
{
    std::vector<int> nodes;
    if (!found)
        return nodes;
    for (const int member : figures::indicesOf(graph(), ids))
        if (const auto node = view.nodeOf(member); node && std::ranges::count(nodes, *node) == 0)
            nodes.push_back(*node);
    return nodes;
}

std::vector<double> ShownGraph::activationsOf(FeatureId feature) const
{
    std::vector<double> activations(graph().tokens.size(), 0);
    for (const features::GraphNode& node : graph().nodes)
        if (node.kind == Kind::Feature && featureOf(node) == feature)
            activations[static_cast<std::size_t>(node.position)] = node.activation;
    return activations;
}

ShownGraph shownGraph(std::shared_ptr<const service::FeatureGraph> found, double share,
                      const control::GraphChoice& choice, const QStringList& tokens,
                      const std::function<QString(std::int64_t)>& logitText)
{
    ShownGraph shown;
    shown.found = std::move(found);
    if (!shown.found)
        return shown;
    const features::Graph& graph = shown.graph();
    shown.view = figures::viewOf(graph, share, choice.groups);
    for (int position = 0; position < shown.view.tokens; ++position)
        shown.tokens << tokens.value(position, QString::number(position));
    for (const features::GraphNode& node : graph.nodes)
        shown.logits << (node.kind == Kind::Logit ? logitText(node.index) : QString());
    control::nameFeatures(shown.view, *shown.found, choice, shown.tokens);
    for (const figures::ViewNode& node : shown.view.nodes)
        shown.names << (node.kind == Kind::Logit ? shown.logits[node.members.front()] : node.name);
    return shown;
}

QString nodeWords(const ShownGraph& shown, int node)
{
    const figures::ViewNode& drawn = shown.view.nodes[static_cast<std::size_t>(node)];
    const features::GraphNode& first = shown.firstOf(node);
    const QString place = tokenWords(shown.tokens, drawn.position);
    const QString& name = shown.names[node];
    switch (drawn.kind) {
    case Kind::Feature: {
        if (drawn.isGroup) {
            const QString layers = drawn.layers.first == drawn.layers.last
                                       ? tr("layer %1").arg(drawn.layers.first)
                                       : tr("layers %1–%2").arg(drawn.layers.first).arg(drawn.layers.last);
            return tr("“%1” (%2, %3 features) at %4").arg(name, layers).arg(drawn.members.size()).arg(place);
        }
        const QString id = QString::fromStdString(toString(featureOf(first)));
        return name.isEmpty() ? tr("%1 at %2").arg(id, place) : tr("“%1” %2 at %3").arg(name, id, place);
    }
    case Kind::Error: return tr("error of layer %1 at %2").arg(drawn.layers.first).arg(place);
    case Kind::Position: return tr("position %1").arg(drawn.position);
    case Kind::Constant: return tr("biases");
    case Kind::Logit: return tr("output “%1”").arg(shown.logits[drawn.members.front()]);
    case Kind::Token: break;
    }
    return tr("token %1").arg(place);
}

std::optional<figures::ViewEdge> edgeFor(const figures::GraphView& view, int node)
{
    const auto position = [&](int index) { return view.nodes[static_cast<std::size_t>(index)].position; };
    const auto isBiases = [&](int index) {
        return view.nodes[static_cast<std::size_t>(index)].kind == Kind::Constant;
    };
    std::optional<figures::ViewEdge> incoming, any;
    for (const figures::ViewEdge& edge : view.edges) {
        if ((edge.source != node && edge.target != node) || isBiases(edge.source))
            continue;
        const bool isCrossing = position(edge.source) != position(edge.target);
        if (isCrossing && edge.source == node)
            return edge;
        if (isCrossing && !incoming)
            incoming = edge;
        if (!any)
            any = edge;
    }
    return incoming ? incoming : any;
}

std::optional<figures::ViewEdge> counterpart(const ShownGraph& from, const figures::ViewEdge& edge,
                                             const ShownGraph& to)
{
    if (!to.found)
        return std::nullopt;
    const features::GraphNode& source = from.firstOf(edge.source);
    const features::GraphNode& target = from.firstOf(edge.target);
    const auto isAlike = [](const features::GraphNode& one, const features::GraphNode& other) {
        return one.kind == other.kind && one.position == other.position &&
               (one.kind != Kind::Logit || one.index == other.index);
    };
    const auto found = std::ranges::find_if(to.view.edges, [&](const figures::ViewEdge& candidate) {
        return isAlike(source, to.firstOf(candidate.source)) && isAlike(target, to.firstOf(candidate.target));
    });
    return found == to.view.edges.end() ? std::nullopt : std::optional(*found);
}

}  // namespace hs::panels
