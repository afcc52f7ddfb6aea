#include "service/graph_trees.h"

#include "base/failure.h"
#include "service/analysis.h"
#include "service/request_trees.h"
#include "service/result_trees.h"
#include "support/catch.h"

using namespace hs;

namespace {

using Kind = features::GraphNode::Kind;

constexpr int kLayers = 3;
const HeadShape kShape{kLayers, 2, 2};

service::FeatureGraph smallGraph()
{
    service::FeatureGraph found;
    found.shape = kShape;
    found.coders = "made-up";
    found.notes = {"a note"};
    features::Graph& graph = found.graph;
    graph.tokens = {7, 8, 9};
    graph.layers = kLayers;
    graph.place = features::Place::Normed;
    graph.fvu = {0.1, 0.2, 0.3};
    graph.nodes = {{Kind::Logit, 0, 2, 5, 1.5, 0.75, 0, 0},
                   {Kind::Token, 0, 1, 8, 0, 0, 0.25, 0.5},
                   {Kind::Feature, 1, 1, 40, 2.5, 0, 0.5, 0.25},
                   {Kind::Error, 2, 2, 0, 0, 0, 0.125, 0.75}};
    graph.edges = {{2, 1, 0.5}, {0, 2, -1.25}, {0, 3, 0.125}, {0, 1, 0.25}};
    graph.allNodes = 40;
    graph.allEdges = 400;
    graph.replacement = 0.875;
    graph.completeness = 0.75;
    graph.constants = 0.0625;
    graph.rests = {0.5, 0, -0.25, 0};
    found.texts = {{{1, 40}, "large", 0.25, {{"large", 3, "is large and", 3}}, {{" small", 1.5, "", 0}}, {}}};
    found.carried = {{1, {0, 0, -1, 0, -0.25, 0}}};
    return found;
}

features::EdgeHeads smallEdge()
{
    features::EdgeHeads edge;
    edge.shape = kShape;
    edge.edge = -1.25;
    edge.cuts = {{0, 0, -1.25, 0}, {-1, -0.125, 0, -0.125}};
    edge.loads = {0, 0, -1, 0, -0.25, 0};
    edge.direct = {0, 0, -1, 0, 0, 0};
    edge.cells = {{{1, 0}, {2, 1}, -1}, {{2, 0}, {2, 1}, -0.25}};
    edge.noHead = 0.5;
    edge.chains = -0.75;
    return edge;
}

remote::Tree wired(const remote::Tree& tree)
{
    return remote::decodeTree(remote::encodeTree(tree));
}

}  // namespace

TEST_CASE("a graph and the heads of an edge are the same after they travelled")
{
    const remote::Tree graph = wired(service::toTree(service::AnalysisResult(smallGraph())));
    CHECK(std::get<service::FeatureGraph>(service::analysisResultFrom(
              remote::reader(graph), service::AnalysisKind::Graph, kShape)) == smallGraph());
    const remote::Tree edge = wired(service::toTree(service::AnalysisResult(smallEdge())));
    CHECK(std::get<features::EdgeHeads>(service::analysisResultFrom(
              remote::reader(edge), service::AnalysisKind::EdgeHeads, kShape)) == smallEdge());
}

TEST_CASE("a graph that names what it does not have is refused")
{
    const auto refuses = [](const service::FeatureGraph& graph) {
        const remote::Tree tree = service::treeOf(graph);
        return !guarded([&] { return service::featureGraphFrom(remote::reader(tree), kShape); }).ok();
    };
    CHECK_FALSE(refuses(smallGraph()));
    service::FeatureGraph graph = smallGraph();
    graph.graph.edges.front().source = 4;
    CHECK(refuses(graph));
    graph = smallGraph();
    graph.graph.nodes.back().position = 3;
    CHECK(refuses(graph));
    graph = smallGraph();
    graph.graph.rests.pop_back();
    CHECK(refuses(graph));
    graph = smallGraph();
    graph.carried.front().edge = 4;
    CHECK(refuses(graph));
    graph = smallGraph();
    graph.carried.front().loads.pop_back();
    CHECK(refuses(graph));
    graph = smallGraph();
    graph.graph.edges.clear();
    CHECK(refuses(graph));
    graph = smallGraph();
    graph.shape.heads = 3;
    CHECK(refuses(graph));
}

TEST_CASE("labels and questions about edges are the same after they travelled")
{
    const std::map<FeatureId, std::string> labels = {{{0, 3}, "large"}, {{2, 0}, ""}};
    const remote::Tree tree = wired(service::treeOf(labels));
    CHECK(service::labelsFrom(remote::reader(tree)) == labels);
    const remote::Tree wrong = {{"L3H7", "a head"}};
    CHECK_FALSE(guarded([&] { return service::labelsFrom(remote::reader(wrong)); }).ok());

    auto model = std::make_shared<service::OpenModel>();
    model->heads = kShape;
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::EdgeHeads;
    request.side.model = model;
    request.side.prompt = "When Mary";
    request.graph = {
        "/coders", {{Kind::Feature, 1, 2, 40}, {Kind::Token, 0, 2, 9}}, {{Kind::Logit, 0, 2, 5}}};
    const remote::Tree sent = wired(service::toTree(request));
    const auto read = service::analysisRequestFrom(remote::reader(sent),
                                                   [&](const service::OpenRequest&) { return model; });
    CHECK(read.graph == request.graph);
    CHECK(service::keyOf(read) == service::keyOf(request));
}

TEST_CASE("a model without transcoders is told what helps, and one with a chosen folder is not")
{
    auto model = std::make_shared<service::OpenModel>();
    model->title = "Small";
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::Graph;
    request.side.model = model;
    request.side.prompt = "When Mary";
    const std::string problem = service::problemOf(request);
    CHECK(problem.find("no transcoders beside Small") != std::string::npos);
    CHECK(problem.find("headscope transcode") != std::string::npos);
    request.graph.coders = "/coders";
    CHECK(service::problemOf(request).empty());
    request.graph.coders.clear();
    model->coders = "/models/small/transcoders";
    CHECK(service::problemOf(request).empty());
    request.kind = service::AnalysisKind::Attribution;
    model->coders.clear();
    CHECK(service::problemOf(request).empty());
}

TEST_CASE("the edges that heads must have carried are those between tokens, strongest first")
{
    const service::FeatureGraph found = smallGraph();
    CHECK(service::crossingEdges(found.graph, 10) == std::vector{1, 3});
    CHECK(service::crossingEdges(found.graph, 1) == std::vector{1});
    REQUIRE(found.textsOf({1, 40}));
    CHECK(found.textsOf({1, 40})->label == "large");
    CHECK_FALSE(found.textsOf({1, 41}));
}
