#include "panels/analyses/graph/graph_edits.h"

#include <algorithm>

namespace hs::panels {
namespace {

using Ids = std::vector<features::NodeId>;

bool holds(const Ids& ids, const features::NodeId& id)
{
    return std::ranges::find(ids, id) != ids.end();
}

void askFor(control::GraphChoice& choice, const ShownGraph& shown,
            const std::optional<figures::ViewEdge>& edge)
{
    choice.sources = edge ? shown.idsOf(edge->source) : Ids();
    choice.targets = edge ? shown.idsOf(edge->target) : Ids();
}

/// Asks both sides for the heads of an edge, and shows them on the tiles.
void askForBoth(control::Document& document, Side side, const ShownGraphs& graphs,
                const std::optional<figures::ViewEdge>& edge)
{
    const Side other = otherSide(side);
    askFor(document.side(side).graph, graphs[indexOf(side)], edge);
    document.side(other).graph.picked.clear();
    askFor(document.side(other).graph, graphs[indexOf(other)],
           edge ? counterpart(graphs[indexOf(side)], *edge, graphs[indexOf(other)]) : std::nullopt);
    document.badges.kind = control::TileBadges::Kind::Rank;
    document.badges.analysis = service::AnalysisKind::EdgeHeads;
}

/// Takes nodes out of all groups; a group of one is none.
void release(std::vector<features::Supernode>& groups, const Ids& nodes)
{
    for (features::Supernode& group : groups)
        std::erase_if(group.members, [&](const features::NodeId& id) { return holds(nodes, id); });
    std::erase_if(groups, [](const features::Supernode& group) { return group.members.size() < 2; });
}

Ids pickedFeatures(const control::GraphChoice& choice)
{
    Ids nodes = choice.picked;
    std::erase_if(nodes,
                  [](const features::NodeId& id) { return id.kind != features::GraphNode::Kind::Feature; });
    return nodes;
}

}  // namespace

void pickNode(control::Document& document, Side side, const ShownGraphs& graphs, int node, bool isAdded)
{
    const ShownGraph& shown = graphs[indexOf(side)];
    control::GraphChoice& choice = document.side(side).graph;
    const Ids ids = shown.idsOf(node);
    if (!isAdded) {
        choice.picked = ids;
    } else if (std::ranges::all_of(ids, [&](const auto& id) { return holds(choice.picked, id); })) {
        std::erase_if(choice.picked, [&](const features::NodeId& id) { return holds(ids, id); });
    } else {
        std::erase_if(choice.picked, [&](const features::NodeId& id) { return holds(ids, id); });
        choice.picked.insert(choice.picked.begin(), ids.begin(), ids.end());
    }
    askForBoth(document, side, graphs, edgeFor(shown.view, node));
}

void pickEdge(control::Document& document, Side side, const ShownGraphs& graphs,
              const figures::ViewEdge& edge)
{
    const ShownGraph& shown = graphs[indexOf(side)];
    control::GraphChoice& choice = document.side(side).graph;
    choice.picked = shown.idsOf(edge.source);
    const Ids targets = shown.idsOf(edge.target);
    choice.picked.insert(choice.picked.end(), targets.begin(), targets.end());
    askForBoth(document, side, graphs, edge);
}

void pickNothing(control::Document& document)
{
    for (control::SideSetup& side : document.sides) {
        side.graph.picked.clear();
        side.graph.sources.clear();
        side.graph.targets.clear();
    }
    if (document.badges.analysis == service::AnalysisKind::EdgeHeads)
        document.badges.kind = control::TileBadges::Kind::None;
}

bool canGroup(const control::GraphChoice& choice)
{
    return pickedFeatures(choice).size() > 1;
}

void groupPicked(control::Document& document, Side side, const std::string& name)
{
    control::GraphChoice& choice = document.side(side).graph;
    const Ids members = pickedFeatures(choice);
    if (members.size() < 2)
        return;
    release(choice.groups, members);
    choice.groups.push_back({name, members});
}

void ungroupPicked(control::Document& document, Side side)
{
    control::GraphChoice& choice = document.side(side).graph;
    std::erase_if(choice.groups, [&](const features::Supernode& group) {
        return std::ranges::any_of(group.members,
                                   [&](const features::NodeId& id) { return holds(choice.picked, id); });
    });
}

void switchFeatures(control::Document& document, Side side, const std::vector<features::NodeId>& nodes,
                    bool isOff)
{
    std::vector<FeatureScale>& scales = document.side(side).graph.scales;
    for (const features::NodeId& node : nodes) {
        const FeatureId feature{node.layer, static_cast<int>(node.index)};
        std::erase_if(scales, [&](const FeatureScale& scale) { return scale.feature == feature; });
        if (isOff)
            scales.push_back({feature, std::nullopt, 0});
    }
}

bool areOff(const control::GraphChoice& choice, const std::vector<features::NodeId>& nodes)
{
    return std::ranges::all_of(nodes, [&](const features::NodeId& node) {
        return std::ranges::any_of(choice.scales, [&](const FeatureScale& scale) {
            return scale.feature == FeatureId{node.layer, static_cast<int>(node.index)} && scale.factor == 0;
        });
    });
}

void groupAlike(control::Document& document, Side side, const ShownGraph& shown)
{
    if (!shown.found)
        return;
    document.side(side).graph.groups = features::groupFeatures(shown.graph());
}

}  // namespace hs::panels
