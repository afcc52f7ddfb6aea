#include "core/features/graph/graph_sample.h"
#include "features/graph/readings_tensors.h"
#include "features/graph/sources_tensors.h"
#include "support/mentions.h"
#include "support/patching.h"
#include "support/refusals.h"

using namespace hs;
using namespace hs::test;
using Kind = features::GraphNode::Kind;

namespace {

std::vector<features::NodeId> allSources(const features::HeldRun& run)
{
    std::vector<features::NodeId> ids;
    const features::Sources sources(run);
    for (const features::GraphNode& node : sources.nodes())
        ids.push_back(idOf(node));
    return ids;
}

/// What a target gets of a stream.
double readOf(const features::HeldRun& run, const features::Carried& stream, const features::NodeId& target)
{
    const features::Readings readings = readingsOf(run, {&target, 1}, {}).readings;
    const features::Spot& spot = readings.spots.front();
    return (at::dot(stream.at(spot)[spot.position], readings.directions[0]) + readings.constants[0])
        .item<double>();
}

}  // namespace

TEST_CASE("all sources together give back the stream of the run in every architecture")
{
    for (const std::string& name : goldenNames()) {
        const auto model = openGolden(name);
        for (const MadeKind& kind : madeKinds()) {
            INFO(name << ", " << kind.name);
            const features::HeldRun run = holdRun(wholeGraph(model, kind, true), at::kDouble, {});
            const features::Carried stream =
                carryForward(run, entriesOf(run, allSources(run)), features::Paths::All);
            for (std::size_t layer = 0; layer < run.layers.size(); ++layer) {
                const at::Tensor& wanted = run.layers[layer].stream;
                REQUIRE((stream.entering[layer] - wanted).abs().max().item<double>() <
                        1e-5 * std::max(1.0, wanted.abs().max().item<double>()));
            }
        }
    }
}

TEST_CASE("a run with cells cut is held, one with cells from another run is refused")
{
    features::GraphRequest request = wholeGraph(openGolden("gpt2"), madeKinds()[0], false);
    const auto heldWith = [&](const std::string& change,
                              const std::shared_ptr<const engine::HeadOutputs>& from) {
        const HeadChange parsed = value(parseHeadChange(change));
        request.run.ablations[{1, 0}] = {parsed.kind, from, nullptr, parsed.cells};
        return refusalOf([&] { holdRun(request, at::kDouble, {}); });
    };
    const auto source = outputsOf(request.run);
    CHECK(heldWith("[4<2]", nullptr).empty());
    CHECK(mentions(heldWith("[4<2]:patch", source), "Cells of L1H0 come from the corrupted prompt"));
}

TEST_CASE("scaling a feature with all else held moves every target by so many times its edge")
{
    const features::GraphRequest request = wholeGraph(openGolden("gpt_neox-parallel"), madeKinds()[3], true);
    const features::Graph graph = value(features::makeGraph(request));
    const features::HeldRun run = holdRun(request, at::kDouble, {});
    const std::vector<features::NodeId> all = allSources(run);
    const features::Entries before = entriesOf(run, all);
    const features::Carried unchanged = carryForward(run, before, features::Paths::All);
    constexpr double kFactor = -2;
    int moved = 0;
    for (const features::GraphEdge& edge : graph.edges) {
        const features::NodeId source = idOf(graph.nodes[static_cast<std::size_t>(edge.source)]);
        const features::NodeId target = idOf(graph.nodes[static_cast<std::size_t>(edge.target)]);
        if (source.kind != Kind::Feature || std::abs(edge.weight) < 0.05)
            continue;
        const features::Entries one = entriesOf(run, {&source, 1});
        features::Entries scaled = before;
        for (std::size_t layer = 0; layer < run.layers.size(); ++layer)
            scaled.output[layer] = scaled.output[layer] + one.output[layer] * (kFactor - 1);
        const features::Carried changed = carryForward(run, scaled, features::Paths::All);
        const double difference = readOf(run, changed, target) - readOf(run, unchanged, target);
        REQUIRE(std::abs(difference - (kFactor - 1) * edge.weight) <
                1e-4 * std::max(1.0, std::abs(difference)));
        ++moved;
    }
    REQUIRE(moved > 3);
}
