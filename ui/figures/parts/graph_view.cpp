#include "figures/parts/graph_view.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hs::figures {
namespace {

using Kind = features::GraphNode::Kind;

/// Whether nodes of this kind are drawn only as long as they reach something.
bool mustReach(Kind kind)
{
    return kind != Kind::Token && kind != Kind::Logit;
}

std::vector<bool> keptNodes(const features::Graph& graph, double share)
{
    std::vector<bool> isKept;
    for (const features::GraphNode& node : graph.nodes)
        isKept.push_back(!mustReach(node.kind) || node.kind == Kind::Constant || node.rank <= share);
    for (bool isChanged = true; isChanged;) {
        isChanged = false;
        std::vector<bool> reaches(graph.nodes.size(), false);
        for (const features::GraphEdge& edge : graph.edges)
            if (isKept[static_cast<std::size_t>(edge.target)])
                reaches[static_cast<std::size_t>(edge.source)] = true;
        for (std::size_t node = 0; node < isKept.size(); ++node)
            if (isKept[node] && mustReach(graph.nodes[node].kind) && !reaches[node]) {
                isKept[node] = false;
                isChanged = true;
            }
    }
    return isKept;
}

ViewNode viewNode(const features::Graph& graph, const std::vector<int>& members)
{
    const auto node = [&](int index) -> const features::GraphNode& {
        return graph.nodes[static_cast<std::size_t>(index)];
    };
    ViewNode view;
    view.members = members;
    view.kind = node(members.front()).kind;
    view.position = node(members.front()).position;
    view.layers = {node(members.front()).layer, node(members.front()).layer};
    for (const int member : members) {
        view.layers.first = std::min(view.layers.first, node(member).layer);
        view.layers.last = std::max(view.layers.last, node(member).layer);
        view.influence += node(member).influence;
    }
    return view;
}

}  // namespace

std::optional<int> GraphView::nodeOf(int member) const
{
    for (std::size_t node = 0; node < nodes.size(); ++node)
        if (std::ranges::find(nodes[node].members, member) != nodes[node].members.end())
            return static_cast<int>(node);
    return std::nullopt;
}

std::vector<int> indicesOf(const features::Graph& graph, const std::vector<features::NodeId>& ids)
{
    std::vector<int> indices;
    for (const features::NodeId& id : ids) {
        const auto found = std::ranges::find(graph.nodes, id, features::idOf);
        if (found != graph.nodes.end())
            indices.push_back(static_cast<int>(found - graph.nodes.begin()));
    }
    return indices;
}

GraphView viewOf(const features::Graph& graph, double share, const std::vector<features::Supernode>& groups)
{
    std::vector<bool> isFree = keptNodes(graph, share);
    std::vector<int> places(graph.nodes.size(), -1);  // [node] its place in the view
    GraphView view;
    view.layers = graph.layers;
    view.tokens = static_cast<int>(graph.tokens.size());
    const auto add = [&](const std::vector<int>& members) -> ViewNode& {
        for (const int member : members) {
            isFree[static_cast<std::size_t>(member)] = false;
            places[static_cast<std::size_t>(member)] = static_cast<int>(view.nodes.size());
        }
        return view.nodes.emplace_back(viewNode(graph, members));
    };
    for (const features::Supernode& group : groups) {
        std::vector<int> members = indicesOf(graph, group.members);
        std::erase_if(members, [&](int member) { return !isFree[static_cast<std::size_t>(member)]; });
        if (members.empty())
            continue;
        ViewNode& node = add(members);
        node.name = QString::fromStdString(group.name);
        node.isGroup = true;
    }
    for (std::size_t index = 0; index < graph.nodes.size(); ++index)
        if (isFree[index])
            add({static_cast<int>(index)});

    std::map<std::pair<int, int>, double> sums;  // by source and target
    for (const features::GraphEdge& edge : graph.edges) {
        const int source = places[static_cast<std::size_t>(edge.source)];
        const int target = places[static_cast<std::size_t>(edge.target)];
        if (source >= 0 && target >= 0 && source != target)
            sums[{source, target}] += edge.weight;
    }
    for (const auto& [ends, weight] : sums)
        view.edges.push_back({ends.first, ends.second, weight});
    std::ranges::stable_sort(view.edges, std::ranges::greater(),
                             [](const ViewEdge& edge) { return std::abs(edge.weight); });
    return view;
}

int levelOf(const ViewNode& node, int layers)
{
    switch (node.kind) {
    case Kind::Feature:
    case Kind::Error: return 1 + (node.layers.first + node.layers.last) / 2;
    case Kind::Logit: return layers + 1;
    case Kind::Token:
    case Kind::Position:
    case Kind::Constant: break;
    }
    return 0;
}

}  // namespace hs::figures
