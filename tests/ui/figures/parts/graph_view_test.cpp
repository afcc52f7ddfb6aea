#include "figures/parts/graph_view.h"

#include "figures/parts/graph_layout.h"
#include "support/catch.h"
#include "ui/made_up_graph.h"

#include <algorithm>
#include <set>

using namespace hs;
using namespace hs::test;

namespace {

using Kind = features::GraphNode::Kind;

const service::FeatureGraph kFound = madeUpGraph({4, 6, 6}, {1, 2, 3, 4, 5});

double weightBetween(const figures::GraphView& view, int source, int target)
{
    for (const figures::ViewEdge& edge : view.edges)
        if (edge.source == source && edge.target == target)
            return edge.weight;
    return 0;
}

}  // namespace

TEST_CASE("a view of the whole influence has every node that reaches a logit, and every edge")
{
    const figures::GraphView view = figures::viewOf(kFound.graph, 1);
    CHECK(view.nodes.size() == kFound.graph.nodes.size());
    CHECK(view.edges.size() == kFound.graph.edges.size());
    CHECK(std::ranges::is_sorted(view.edges, std::ranges::greater(),
                                 [](const figures::ViewEdge& edge) { return std::abs(edge.weight); }));
}

TEST_CASE("a smaller share leaves out the less important nodes, but no token and no logit")
{
    std::size_t last = 0;
    for (const double share : {0.0, 0.3, 0.6, 0.9}) {
        const figures::GraphView view = figures::viewOf(kFound.graph, share);
        CHECK(view.nodes.size() >= last);
        last = view.nodes.size();
        for (const Kind kind : {Kind::Token, Kind::Logit})
            CHECK(std::ranges::count(view.nodes, kind, &figures::ViewNode::kind) ==
                  std::ranges::count(kFound.graph.nodes, kind, &features::GraphNode::kind));
        for (const figures::ViewNode& node : view.nodes)
            if (node.kind == Kind::Feature)
                CHECK(kFound.graph.nodes[static_cast<std::size_t>(node.members.front())].rank <= share);
    }
}

TEST_CASE("a feature that reaches nothing is not drawn")
{
    features::Graph graph = kFound.graph;
    std::erase_if(graph.edges, [&](const features::GraphEdge& edge) {
        return graph.nodes[static_cast<std::size_t>(edge.source)].kind == Kind::Feature;
    });
    const figures::GraphView view = figures::viewOf(graph, 1);
    CHECK(std::ranges::count(view.nodes, Kind::Feature, &figures::ViewNode::kind) == 0);
}

TEST_CASE("a group is one node, its edges are the sums of its members' and none leads into itself")
{
    const features::NodeId low{Kind::Feature, 0, 1, madeUpFeature(0, 1)};
    const features::NodeId high{Kind::Feature, 1, 2, madeUpFeature(1, 2)};  // which `low` adds to
    const std::vector<features::Supernode> groups = {{"both", {low, high}},
                                                     {"of another prompt", {{Kind::Feature, 0, 1, 99999}}}};
    const figures::GraphView apart = figures::viewOf(kFound.graph, 1);
    const figures::GraphView view = figures::viewOf(kFound.graph, 1, groups);
    REQUIRE(view.nodes.size() == apart.nodes.size() - 1);
    const figures::ViewNode& group = view.nodes.front();
    CHECK(group.isGroup);
    CHECK(group.name == QStringLiteral("both"));
    CHECK(group.layers == features::LayerSpan{0, 1});
    const std::vector<int> members = figures::indicesOf(kFound.graph, {low, high});
    const int logit = 0;  // of the graph
    double sum = 0;
    for (const int member : members)
        sum += weightBetween(apart, *apart.nodeOf(member), *apart.nodeOf(logit));
    CHECK(weightBetween(view, 0, *view.nodeOf(logit)) == Approx(sum));
    CHECK(weightBetween(view, 0, 0) == 0);
    for (const int member : members)
        CHECK(view.nodeOf(member) == 0);
}

TEST_CASE("names get room by influence as long as all fit, those of the user first")
{
    figures::GraphView view = figures::viewOf(kFound.graph, 1);
    figures::NodeWishes wishes;
    for (const figures::ViewNode& node : view.nodes) {
        wishes.bare.push_back(10);
        wishes.named.push_back(node.kind == Kind::Feature ? 40 : 10);
    }
    wishes.columns.assign(static_cast<std::size_t>(view.tokens), 12);
    const auto namedAt = [&](double width) {
        const std::vector<double> widths = wishes.within(view, width);
        const figures::GraphLayout layout(view, {0, 0, width, 100}, widths, wishes.columns);
        std::vector<std::size_t> named;
        for (std::size_t node = 0; node < widths.size(); ++node) {
            CHECK(layout.room(static_cast<int>(node)) >= widths[node] - 1e-9);  // nothing had to shrink
            if (widths[node] == 40)
                named.push_back(node);
        }
        for (int token = 0; token < view.tokens; ++token)
            CHECK(layout.column(token).width() >= 12);
        return named;
    };
    const double least = wishes.leastWidth(view);
    CHECK(namedAt(least).empty());
    const std::vector<std::size_t> some = namedAt(least + 30);  // one column is widened
    REQUIRE_FALSE(some.empty());
    const auto strongest = std::ranges::max_element(view.nodes, {}, [](const figures::ViewNode& node) {
        return node.kind == Kind::Feature ? node.influence : 0;
    });
    CHECK(std::ranges::count(some, static_cast<std::size_t>(strongest - view.nodes.begin())) == 1);
    const auto own = std::ranges::find_if(view.nodes, [&](const figures::ViewNode& node) {
        return node.kind == Kind::Feature && node.position == 4;
    });
    own->isOwnName = true;
    CHECK(std::ranges::count(namedAt(least + 30), static_cast<std::size_t>(own - view.nodes.begin())) == 1);
    CHECK(namedAt(2000).size() ==
          static_cast<std::size_t>(std::ranges::count(view.nodes, Kind::Feature, &figures::ViewNode::kind)));
}

TEST_CASE("tokens stand across and layers up, apart from each other, and what is drawn is met")
{
    const figures::GraphView view = figures::viewOf(kFound.graph, 1);
    for (const double width : {120.0, 900.0}) {
        const QRectF plot(10, 5, width, 300);
        const figures::GraphLayout layout(view, plot, std::vector<double>(view.nodes.size(), 12.0));
        std::set<std::pair<double, double>> places;
        for (std::size_t index = 0; index < view.nodes.size(); ++index) {
            const auto node = static_cast<int>(index);
            const QPointF place = layout.place(node);
            CHECK(plot.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(place));
            CHECK(places.insert({place.x(), place.y()}).second);
            CHECK(layout.nodeAt(place, 3) == node);
            if (view.nodes[index].kind != Kind::Constant)
                CHECK(layout.column(view.nodes[index].position).adjusted(-1e-6, 0, 1e-6, 0).contains(place));
            CHECK(place.y() == layout.levelAt(figures::levelOf(view.nodes[index], view.layers)));
        }
        for (const figures::ViewEdge& edge : view.edges)
            CHECK(layout.place(edge.source).y() > layout.place(edge.target).y());
        const figures::ViewEdge& strongest = view.edges.front();
        CHECK(layout.edgeAt(view.edges, view.edges.size(), layout.path(strongest).pointAtPercent(0.5), 2) ==
              0);
        CHECK_FALSE(layout.edgeAt(view.edges, view.edges.size(), plot.topLeft(), 2));
    }
}
