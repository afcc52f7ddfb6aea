#include "features/graph/token_sources.h"

#include "support/catch.h"

using namespace hs;
using features::Graph;
using Kind = features::GraphNode::Kind;

namespace {

/// Three tokens; the second one's embedding makes a feature of the third token fire, which makes the logit. A feature of
/// the first token reaches that of the second alone.
Graph chain()
{
    Graph graph;
    graph.tokens = {1, 2, 3};
    graph.replacement = 0.8;
    const auto add = [&](Kind kind, int layer, int position, double influence, double rank) {
        graph.nodes.push_back(
            {kind, layer, position, 0, 1, kind == Kind::Logit ? 1.0 : 0.0, influence, rank});
    };
    add(Kind::Logit, 0, 2, 0, 0);
    add(Kind::Feature, 1, 2, 0.9, 0.4);
    add(Kind::Feature, 0, 2, 0.3, 0.6);
    add(Kind::Token, 0, 0, 0.1, 0.9);
    add(Kind::Token, 0, 1, 0.4, 0.7);
    add(Kind::Position, 0, 1, 0.1, 0.95);
    add(Kind::Token, 0, 2, 0.2, 0.8);
    add(Kind::Feature, 0, 0, 0.05, 0.99);
    add(Kind::Error, 0, 2, 0.2, 0.85);
    add(Kind::Feature, 0, 1, 0.2, 0.79);
    graph.edges = {{0, 1, 3}, {0, 2, 1}, {1, 4, 2}, {1, 5, -0.5}, {2, 4, 4},
                   {2, 6, 1}, {9, 3, 2}, {9, 4, 1}, {0, 8, 1}};
    graph.rests.assign(graph.nodes.size(), 0.0);
    return graph;
}

}  // namespace

TEST_CASE("shares of tokens are what starts at them, and errors have the rest")
{
    const auto sources = tokenSources(chain());
    REQUIRE(sources.size() == 3);
    double sum = 0;
    for (const features::TokenSource& source : sources)
        sum += source.share;
    CHECK(sum == Approx(0.8));
    CHECK(sources[0].position == 1);
    CHECK(sources[0].share == Approx(0.5));
    CHECK(sources[0].nodes == std::vector{9, 4, 5});
    CHECK(sources[1].nodes == std::vector{1, 2, 6});  // the most influential feature first
    CHECK(sources[2].nodes == std::vector{3});        // of the feature there, too little is left
    CHECK(tokenSources(chain(), 1)[2].nodes == std::vector{7, 3});
}

TEST_CASE("a token crosses to the node that it influences most, which need not be the logit")
{
    const Graph graph = chain();
    const auto crossing = crossingFrom(graph, tokenSources(graph));
    REQUIRE(crossing);
    CHECK(crossing->source.position == 1);
    // 1.5 of 2.5 into a feature of influence 0.9, against 4 of 5 into one of 0.3.
    CHECK(crossing->target == 1);
}

TEST_CASE("a token that reaches the prediction over another one crosses to that one")
{
    const Graph graph = chain();
    const auto crossing = crossingFrom(graph, tokenSources(graph), 0);
    REQUIRE(crossing);
    CHECK(crossing->source.position == 0);
    CHECK(crossing->target == 9);
    CHECK_FALSE(crossingFrom(graph, tokenSources(graph), 2));
    CHECK_FALSE(features::crossingFrom({}, {}));
}
