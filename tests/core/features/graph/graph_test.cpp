#include "features/graph/graph.h"

#include "core/features/graph/graph_sample.h"
#include "features/graph/mlp_run_tensors.h"

#include <cmath>

using namespace hs;
using namespace hs::test;
using features::GraphNode;
using Kind = features::GraphNode::Kind;

namespace {

/// What the encoders of a run get before their biases, computed by the decoder alone. [layer] [query, feature]
std::vector<at::Tensor> encoded(const features::GraphRequest& request)
{
    std::vector<at::Tensor> layers;
    features::runMlps(request.run, [&](const features::MlpVisit& visit) {
        const features::CoderLayer& coder =
            request.coders->weights().layers[static_cast<std::size_t>(visit.layer)];
        layers.push_back(at::matmul(
            features::readAt(*request.coders->facts().place, *request.run.model, visit.layer, visit.stream),
            coder.encoder.t()));
        return visit.output();
    });
    return layers;
}

struct RowSum {
    double sum = 0;
    double largest = 1e-2;  // what is smaller is lost in rounding
    int terms = 0;
};

/// Checks that each row adds up to what its target gets; returns how many there were.
int checkRows(const features::GraphRequest& request, const features::Graph& graph)
{
    const std::vector<at::Tensor> expected = encoded(request);
    std::vector<RowSum> rows(graph.nodes.size());
    for (const features::GraphEdge& edge : graph.edges) {
        RowSum& row = rows[static_cast<std::size_t>(edge.target)];
        row.sum += edge.weight;
        row.largest = std::max(row.largest, std::abs(edge.weight));
        ++row.terms;
    }
    int checked = 0;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        const GraphNode& target = graph.nodes[node];
        if (target.kind != Kind::Feature && target.kind != Kind::Logit)
            continue;
        const double wanted =
            target.kind == Kind::Logit
                ? target.activation - (graph.versus ? 0 : graph.meanLogit)
                : expected[static_cast<std::size_t>(target.layer)][target.position][target.index]
                      .item<double>();
        INFO(wordOf(target.kind) << " " << target.index << " layer " << target.layer << " position "
                                 << target.position << " terms " << rows[node].terms);
        // A single small term is the difference of numbers of size 1, which float has to seven digits.
        REQUIRE(std::abs(rows[node].sum + graph.rests[node] - wanted) < 1e-4 * rows[node].largest + 4e-6);
        ++checked;
    }
    return checked;
}

}  // namespace

TEST_CASE(
    "rows add up to logits and pre-activations in every architecture, gated or not, with every kind of coder")
{
    for (const std::string& name : goldenNames()) {
        const auto model = openGolden(name);
        for (const MadeKind& kind : madeKinds())
            for (const bool isGated : {false, true}) {
                INFO(name << ", " << kind.name << (isGated ? ", gated" : ""));
                const features::GraphRequest request = wholeGraph(model, kind, isGated);
                const features::Graph graph = value(features::makeGraph(request));
                REQUIRE(checkRows(request, graph) > 5);
                for (const double rest : graph.rests)  // everything was asked for
                    REQUIRE(std::abs(rest) < 1e-3);
                REQUIRE(graph.fvu.size() == static_cast<std::size_t>(graph.layers));
            }
    }
}

TEST_CASE("rows of a pruned graph add up with their rests, and the shares hold")
{
    features::GraphRequest request = wholeGraph(openGolden("llama-grouped"), madeKinds()[1], true);
    const features::Graph whole = value(features::makeGraph(request));
    request.options.nodeShare = 0.9;
    request.options.edgeShare = 0.9;
    request.options.features = 10;
    const features::Graph graph = value(features::makeGraph(request));
    REQUIRE(checkRows(request, graph) > 3);
    REQUIRE(graph.nodes.size() < whole.nodes.size());
    REQUIRE(graph.edges.size() < whole.edges.size());
    REQUIRE(graph.allNodes < whole.allNodes);
    for (const double share : {graph.replacement, graph.completeness, graph.constants}) {
        REQUIRE(share > 0);
        REQUIRE(share < 1);
    }
    for (const GraphNode& node : graph.nodes) {
        REQUIRE(node.rank >= 0);
        REQUIRE(node.rank <= 1 + 1e-6);
        if (node.kind == Kind::Feature)
            REQUIRE(node.activation != 0);
    }
}

TEST_CASE("a target with another to compare with is the difference of their logits")
{
    features::GraphRequest request = wholeGraph(openGolden("gpt2"), madeKinds()[0], false);
    request.target = 5;
    request.versus = 9;
    request.position = 4;
    const features::Graph graph = value(features::makeGraph(request));
    REQUIRE(graph.versus == 9);
    REQUIRE(checkRows(request, graph) > 5);
    for (const GraphNode& node : graph.nodes)
        if (node.kind != Kind::Constant)
            REQUIRE(node.position <= (node.kind == Kind::Token || node.kind == Kind::Position ? 6 : 4));
}

TEST_CASE("ablated heads carry nothing, and rows still add up")
{
    features::GraphRequest request = wholeGraph(openGolden("qwen3"), madeKinds()[0], false);
    request.run.ablations[{0, 1}] = {engine::HeadAblation::Kind::Mean, nullptr};
    const features::Graph graph = value(features::makeGraph(request));
    std::vector<double> sums(graph.nodes.size());
    for (const features::GraphEdge& edge : graph.edges)
        sums[static_cast<std::size_t>(edge.target)] += edge.weight;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        if (graph.nodes[node].kind == Kind::Logit)
            REQUIRE(std::abs(sums[node] + graph.rests[node] - graph.nodes[node].activation +
                             graph.meanLogit) < 1e-3);
}

TEST_CASE("a graph that cannot be made is refused with the reason")
{
    const features::GraphRequest good = wholeGraph(openGolden("gpt2"), madeKinds()[0], false);
    features::GraphRequest request = good;
    request.coders = nullptr;
    REQUIRE_FALSE(features::makeGraph(request));
    request = good;
    request.coders = makeCoders(openGolden("gemma2")->spec(), madeKinds()[0]);
    if (request.coders->facts().width != good.coders->facts().width)
        REQUIRE_FALSE(features::makeGraph(request));
    request = good;
    request.target = 5;
    request.versus = 5;
    REQUIRE_FALSE(features::makeGraph(request));
    request = good;
    request.position = 70;
    REQUIRE_FALSE(features::makeGraph(request));
    request = good;
    request.options.nodeShare = 1.5;
    REQUIRE_FALSE(features::makeGraph(request));
}
