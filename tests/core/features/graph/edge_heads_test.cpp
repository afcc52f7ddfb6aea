#include "features/graph/edge_heads.h"

#include "core/features/graph/graph_sample.h"
#include "engine/run/engine.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace hs;
using namespace hs::test;
using features::EdgeHeads;
using Kind = features::GraphNode::Kind;

namespace {

/// The strongest edges between each two kinds of nodes.
std::vector<features::GraphEdge> telling(const features::Graph& graph)
{
    std::vector<features::GraphEdge> edges = graph.edges;
    std::ranges::sort(edges, std::greater<>(),
                      [](const features::GraphEdge& e) { return std::abs(e.weight); });
    std::set<std::pair<Kind, Kind>> seen;
    std::erase_if(edges, [&](const features::GraphEdge& edge) {
        return !seen.insert({graph.nodes[static_cast<std::size_t>(edge.source)].kind,
                             graph.nodes[static_cast<std::size_t>(edge.target)].kind})
                    .second;
    });
    return edges;
}

void checkEdge(const EdgeHeads& heads, double weight)
{
    double size = 1;
    for (const double load : heads.loads)
        size += std::abs(load);
    REQUIRE(std::abs(heads.edge - weight) < 1e-4 * std::max(std::abs(weight), 1.0));
    for (const EdgeHeads::Cut& cut : heads.cuts)
        REQUIRE(std::abs(cut.heads + cut.bypass + cut.later + cut.earlier - heads.edge) < 1e-5 * size);
    double direct = heads.noHead + heads.chains;
    for (const double load : heads.direct)
        direct += load;
    REQUIRE(std::abs(direct - heads.edge) < 1e-5 * size);
    double loads = 0;
    double cells = 0;
    for (const double load : heads.loads)
        loads += load;
    for (const features::CellLoad& cell : heads.cells)
        cells += cell.load;
    REQUIRE(std::abs(loads - cells) < 1e-3 * size);
}

}  // namespace

TEST_CASE("heads and bypass are the edge at every layer, in every architecture and with every kind of coder")
{
    for (const std::string& name : goldenNames()) {
        const auto model = openGolden(name);
        for (const MadeKind& kind : madeKinds())
            for (const bool isGated : {false, true}) {
                INFO(name << ", " << kind.name << (isGated ? ", gated" : ""));
                const features::GraphRequest request = wholeGraph(model, kind, isGated);
                const features::Graph graph = value(features::makeGraph(request));
                const features::EdgeTracer tracer = value(features::EdgeTracer::open(request));
                const std::vector<features::GraphEdge> edges = telling(graph);
                REQUIRE(edges.size() >= 8);  // four kinds of sources, two of targets
                for (const features::GraphEdge& edge : edges) {
                    const features::NodeId source = idOf(graph.nodes[static_cast<std::size_t>(edge.source)]);
                    const features::NodeId target = idOf(graph.nodes[static_cast<std::size_t>(edge.target)]);
                    INFO(wordOf(source.kind) << " to " << wordOf(target.kind));
                    checkEdge(value(tracer.headsOf({source}, {target})), edge.weight);
                }
            }
    }
}

TEST_CASE("a supernode's edge is the sum of its members'")
{
    const features::GraphRequest request = wholeGraph(openGolden("olmo2"), madeKinds()[1], false);
    const features::Graph graph = value(features::makeGraph(request));
    const features::EdgeTracer tracer = value(features::EdgeTracer::open(request));
    std::vector<features::NodeId> sources, targets;
    for (const features::GraphNode& node : graph.nodes) {
        if (node.kind == Kind::Token)
            sources.push_back(idOf(node));
        if (node.kind == Kind::Feature && node.position == 6)
            targets.push_back(idOf(node));
    }
    REQUIRE(targets.size() > 2);
    double sum = 0;
    for (const features::GraphEdge& edge : graph.edges) {
        const features::GraphNode& source = graph.nodes[static_cast<std::size_t>(edge.source)];
        const features::GraphNode& target = graph.nodes[static_cast<std::size_t>(edge.target)];
        if (source.kind == Kind::Token && target.kind == Kind::Feature && target.position == 6)
            sum += edge.weight;
    }
    checkEdge(value(tracer.headsOf(sources, targets)), sum);
}

TEST_CASE("a direct load is in the one cell that leads from the source to the target")
{
    const features::GraphRequest request = wholeGraph(openGolden("llama-tied"), madeKinds()[0], true);
    const features::EdgeTracer tracer = value(features::EdgeTracer::open(request));
    const features::Graph graph = value(features::makeGraph(request));
    // The last layer's heads are the last of any chain: all they carry to a logit arrives at its position.
    const auto logit = std::ranges::find(graph.nodes, Kind::Logit, &features::GraphNode::kind);
    REQUIRE(logit != graph.nodes.end());
    const EdgeHeads heads =
        value(tracer.headsOf({{Kind::Token, 0, 2, request.run.tokens[2]}}, {idOf(*logit)}));
    for (const features::CellLoad& cell : heads.cells)
        if (cell.head.layer == graph.layers - 1)
            REQUIRE(cell.cell.query == 6);
}

TEST_CASE("few heads reach a share when one carries nearly all")
{
    EdgeHeads edge;
    edge.loads = {0.1, -8, 0.5, 1};
    edge.cells = {{{0, 1}, {1, 0}, -8}, {{0, 3}, {1, 0}, 1}, {{0, 2}, {1, 0}, 0.6}};
    REQUIRE(features::headsForShare(edge, 0.8) == 1);
    REQUIRE(features::headsForShare(edge, 0.9) == 2);
    REQUIRE(features::cellsForShare(edge, 0.8) == 1);
    REQUIRE(features::cellsForShare(edge, 1) == 3);
}

TEST_CASE("a head's score is the sum of its parts in every architecture")
{
    for (const std::string& name : goldenNames()) {
        const auto model = openGolden(name);
        for (const bool isGated : {false, true}) {
            const MadeKind kind = madeKinds()[isGated ? 3 : 1];
            const features::GraphRequest request = wholeGraph(model, kind, isGated);
            const HeadId head{model->spec().layers - 1, model->spec().heads - 1};
            INFO(name << ", " << kind.name);
            const features::ScoreParts parts = value(features::scoreParts(request, head, {5, 4}));
            engine::Engine engine;
            const engine::LayerMap scores =
                value(engine.layerMaps(request.run, head.layer, engine::MapKind::Scores));
            const double wanted = scores[(static_cast<std::size_t>(head.head) * 7 + 5) * 7 + 4];
            const double cap = model->spec().scoreCap.value_or(0);
            REQUIRE(std::abs((cap > 0 ? cap * std::tanh(parts.score / cap) : parts.score) - wanted) <
                    1e-4 * std::max(1.0, std::abs(wanted)));
            double size = 1;
            for (const auto* const side : {&parts.queries, &parts.keys}) {
                double sum = 0;
                for (const auto& [node, part] : *side) {
                    sum += part;
                    size += std::abs(part);
                }
                REQUIRE(std::abs(sum - parts.score) < 1e-4 * size);
            }
            REQUIRE(parts.pairs.size() > 10);
            REQUIRE(std::abs(parts.pairs.front().value) >= std::abs(parts.pairs.back().value));
        }
    }
}
