#include "features/graph/supernodes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace hs::features {
namespace {

using Kind = GraphNode::Kind;

/// A node's edges by the other end and the direction; shares of their size, so that strong features and weak ones
/// may be alike.
using Profile = std::map<std::pair<int, bool>, double>;

double productOf(const Profile& a, const Profile& b)
{
    double sum = 0;
    for (const auto& [end, weight] : a)
        if (const auto other = b.find(end); other != b.end())
            sum += weight * other->second;
    return sum;
}

std::vector<Profile> profilesOf(const Graph& graph)
{
    std::vector<Profile> profiles(graph.nodes.size());
    for (const GraphEdge& edge : graph.edges) {
        if (graph.nodes[static_cast<std::size_t>(edge.source)].kind == Kind::Constant)
            continue;
        profiles[static_cast<std::size_t>(edge.target)][{edge.source, true}] = edge.weight;
        profiles[static_cast<std::size_t>(edge.source)][{edge.target, false}] = edge.weight;
    }
    for (Profile& profile : profiles)
        for (const bool isIncoming : {true, false}) {
            double squares = 0;
            for (const auto& [end, weight] : profile)
                squares += end.second == isIncoming ? weight * weight : 0;
            for (auto& [end, weight] : profile)
                if (end.second == isIncoming && squares > 0)
                    weight /= std::sqrt(2 * squares);  // both directions count alike
        }
    return profiles;
}

}  // namespace

LayerSpan spanOf(const Supernode& supernode)
{
    if (supernode.members.empty())
        return {};
    const auto [first, last] = std::ranges::minmax_element(supernode.members, {}, &NodeId::layer);
    return {first->layer, last->layer};
}

std::vector<Supernode> groupFeatures(const Graph& graph, double likeness)
{
    const std::vector<Profile> profiles = profilesOf(graph);
    std::vector<std::size_t> order;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        if (graph.nodes[node].kind == Kind::Feature)
            order.push_back(node);
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](std::size_t node) { return graph.nodes[node].influence; });
    std::vector<std::vector<std::size_t>> groups;  // each led by its most influential member
    for (const std::size_t node : order) {
        const auto isLike = [&](std::size_t member) {
            return graph.nodes[member].position == graph.nodes[node].position &&
                   productOf(profiles[member], profiles[node]) >= likeness;
        };
        const auto group = std::ranges::find_if(groups, [&](const std::vector<std::size_t>& members) {
            return std::ranges::all_of(members, isLike);
        });
        if (group == groups.end())
            groups.push_back({node});
        else
            group->push_back(node);
    }
    std::vector<Supernode> supernodes;
    for (const std::vector<std::size_t>& members : groups) {
        if (members.size() < 2)
            continue;
        Supernode& supernode = supernodes.emplace_back();
        for (const std::size_t member : members)
            supernode.members.push_back(idOf(graph.nodes[member]));
    }
    return supernodes;
}

}  // namespace hs::features
