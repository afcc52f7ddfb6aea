#include "engine/run/head_outputs_tensors.h"

#include "engine/load/model.h"
#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/patching.h"

#include <cmath>

using namespace hs;

namespace {

engine::RunRequest requestOn(const std::string& name, std::vector<std::int64_t> tokens)
{
    engine::RunRequest request;
    request.model = test::openGolden(name);
    request.tokens = std::move(tokens);
    return request;
}

engine::RunRequest cleanOn(const std::string& name)
{
    return requestOn(name, {3, 14, 15, 9, 26, 5, 3, 14});
}

std::shared_ptr<const engine::HeadOutputs> otherOutputs(engine::RunRequest run)
{
    run.tokens[2] = 33;
    run.tokens[6] = 21;
    return test::outputsOf(run);
}

engine::HeadAblation patch(const std::shared_ptr<const engine::HeadOutputs>& source, engine::CellMask mask)
{
    return {engine::HeadAblation::Kind::Replace, source,
            std::make_shared<const engine::CellMask>(std::move(mask))};
}

std::vector<CellId> everyCell(int length)
{
    std::vector<CellId> cells;
    for (int query = 0; query < length; ++query)
        for (int key = 0; key <= query; ++key)
            cells.push_back({query, key});
    return cells;
}

double worst(const at::Tensor& a, const at::Tensor& b)
{
    return (a - b).abs().max().item<double>();
}

/// The output, by definition, with some cells' contributions from one run and the rest from the other.
at::Tensor mixedOutput(const engine::HeadOutputs& here, const engine::HeadOutputs& there, HeadId head,
                       int perGroup, const std::vector<CellId>& patched)
{
    at::Tensor mask = at::zeros_like(here.weights(head.layer)[head.head]);
    for (const CellId cell : patched)
        mask[cell.query][cell.key] = 1;
    const auto sumOf = [&](const engine::HeadOutputs& run, const at::Tensor& cells) {
        return at::mm(run.weights(head.layer)[head.head] * cells,
                      run.values(head.layer)[head.head / perGroup]);
    };
    return sumOf(there, mask) + sumOf(here, 1 - mask);
}

}  // namespace

TEST_CASE("a patched cell brings the other run's contribution, the rest this run's, on every architecture")
{
    const bool isGated = GENERATE(false, true);
    const std::vector<CellId> some = {{3, 1}, {4, 4}, {6, 0}, {6, 2}, {7, 6}};
    for (const std::string& name : test::goldenNames()) {
        INFO(name << (isGated ? " gated" : ""));
        engine::RunRequest run = cleanOn(name);
        if (isGated)
            run.gate = engine::ScoreGate{0.2371};
        const auto own = test::outputsOf(run);
        const auto source = otherOutputs(run);
        const HeadShape shape = run.model->spec().headShape();
        const HeadId head{1, shape.heads - 1};
        const at::Tensor expected = mixedOutput(*own, *source, head, shape.heads / shape.kvHeads, some);
        CHECK(worst(expected, own->z(1).select(1, head.head)) > 1e-4);
        CHECK(worst(expected, source->z(1).select(1, head.head)) > 1e-4);

        engine::RunRequest patched = run;
        patched.ablations[head] = patch(source, {some});
        CHECK(worst(test::outputsOf(patched)->z(1).select(1, head.head), expected) <= 1e-5);
        std::vector<CellId> others = everyCell(8);
        std::erase_if(others, [&](CellId cell) { return std::ranges::count(some, cell) > 0; });
        patched.ablations[head] = patch(source, {others, /*isRest=*/true});
        CHECK(worst(test::outputsOf(patched)->z(1).select(1, head.head), expected) <= 1e-5);
    }
}

TEST_CASE("all cells patched are the whole head patched, none are no ablation")
{
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const engine::RunRequest run = cleanOn(name);
        const auto source = otherOutputs(run);
        const auto metricWith = [&](engine::HeadAblation ablation) {
            engine::RunRequest patched = run;
            patched.ablations[{0, 1}] = std::move(ablation);
            return test::metricOf(patched);
        };
        const double whole = metricWith({engine::HeadAblation::Kind::Replace, source});
        CHECK(std::abs(whole - test::metricOf(run)) > 1e-4);
        CHECK(metricWith(patch(source, {{}, true})) == whole);
        CHECK(metricWith(patch(source, {everyCell(8)})) == Approx(whole).margin(1e-5));
        CHECK(metricWith(patch(source, {{}})) == test::metricOf(run));
        CHECK(metricWith(patch(source, {everyCell(8), true})) == Approx(test::metricOf(run)).margin(1e-5));
    }
}

TEST_CASE("patterns and statistics are those before the patch")
{
    const engine::RunRequest run = cleanOn("llama-grouped");
    engine::RunRequest patched = run;
    patched.ablations[{1, 0}] = patch(otherOutputs(run), {{{5, 2}, {7, 2}}});
    const engine::RunResult before = test::value(engine::Engine().run(run));
    const engine::RunResult after = test::value(engine::Engine().run(patched));
    for (int index = 0; index < 2 * before.heads.heads; ++index)
        CHECK(after.stats[index].entropy == Approx(before.stats[index].entropy).margin(1e-5));
    CHECK(after.predictions[0].logit != before.predictions[0].logit);
}

TEST_CASE("masks are compared by what they say, and a run starts again where they differ")
{
    const engine::RunRequest run = cleanOn("gpt2");
    const auto source = otherOutputs(run);
    CHECK(patch(source, {{{3, 1}}}) == patch(source, {{{3, 1}}}));
    CHECK_FALSE(patch(source, {{{3, 1}}}) == patch(source, {{{3, 2}}}));
    CHECK_FALSE(patch(source, {{{3, 1}}}) == patch(source, {{{3, 1}}, true}));
    CHECK_FALSE(patch(source, {{{3, 1}}}) ==
                engine::HeadAblation{engine::HeadAblation::Kind::Replace, source});
    engine::Engine engine;
    engine::RunRequest patched = run;
    patched.ablations[{1, 0}] = patch(source, {{{3, 1}}});
    test::value(engine.run(patched));
    CHECK(test::value(engine.run(patched)).firstLayerComputed == 2);
    patched.ablations[{1, 0}] = patch(source, {{{3, 2}}});
    CHECK(test::value(engine.run(patched)).firstLayerComputed == 1);
}

TEST_CASE("cells that cannot be patched are refused in a sentence")
{
    const engine::RunRequest run = cleanOn("gpt2");
    const auto refusal = [&](engine::HeadAblation ablation) {
        engine::RunRequest patched = run;
        patched.ablations[{1, 0}] = std::move(ablation);
        const auto refused = engine::Engine().run(patched);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::BadRequest);
        return refused.error().message;
    };
    engine::RunRequest whole = run;
    whole.capture.headOutputs = true;
    CHECK(refusal(patch(test::value(engine::Engine().run(whole)).headOutputs, {{{3, 1}}}))
              .find("keep them apart") != std::string::npos);
    engine::RunRequest ablated = run;
    ablated.ablations[{1, 0}] = {engine::HeadAblation::Kind::Mean, {}};
    CHECK(refusal(patch(test::outputsOf(ablated), {{{3, 1}}})).find("do not ablate") != std::string::npos);
    for (const CellId cell : {CellId{3, 4}, CellId{8, 0}, CellId{-1, 0}, CellId{2, -1}})
        CHECK(refusal(patch(test::outputsOf(run), {{cell}})).find("diagonal") != std::string::npos);
}

TEST_CASE("gradients of the metric are its differences, on every architecture")
{
    const bool isGated = GENERATE(false, true);
    for (const std::string& name : test::goldenNames()) {
        INFO(name << (isGated ? " gated" : ""));
        engine::RunRequest run = cleanOn(name);
        if (isGated)
            run.gate = engine::ScoreGate{0.2371};
        run.ablations[{0, 0}] = {engine::HeadAblation::Kind::Mean, {}};
        engine::Engine engine;
        const auto gradients = test::value(engine.headGradients(run, test::kTarget, test::kVersus));
        engine::RunRequest own = run;
        own.capture.headOutputs = true;
        const auto outputs = test::value(engine.run(own)).headOutputs;
        const int layers = run.model->spec().layers;
        at::manual_seed(7);
        for (int index = 0; index < 2 * layers; ++index) {
            const int layer = index / 2;
            const auto part =
                index % 2 == 0 ? &engine::HeadOutputs::Layer::z : &engine::HeadOutputs::Layer::mlp;
            const auto partOf = [&](const engine::HeadOutputs& of) {
                return index % 2 == 0 ? of.z(layer) : of.mlp(layer);
            };
            const at::Tensor direction = at::randn_like(partOf(*outputs).clone());
            const auto metricAt = [&](double step) {
                std::vector<engine::HeadOutputs::Layer> moved(static_cast<std::size_t>(layers));
                for (int other = 0; other < layers; ++other)
                    moved[other].z = outputs->z(other).clone();
                moved[layer].*part = partOf(*outputs) + direction * step;
                const auto source = std::make_shared<const engine::HeadOutputs>(run, moved);
                engine::RunRequest nudged = run;
                for (const HeadId unit : run.model->spec().headShape().all(Units::HeadsAndMlps))
                    if (unit.layer == layer && unit.isMlp() == (index % 2 == 1))
                        nudged.ablations[unit] = {engine::HeadAblation::Kind::Replace, source};
                return test::metricOf(nudged);
            };
            const double step = 3e-4;  // small enough for gates and clips to stay as they are
            const double difference = (metricAt(step) - metricAt(-step)) / (2 * step);
            const double expected = (partOf(*gradients) * direction).sum().item<double>();
            INFO((index % 2 == 0 ? "heads of layer " : "MLP of layer ") << layer);
            // Logits in float are off by up to 1e-5, over two steps.
            CHECK(difference == Approx(expected).epsilon(0.05).margin(2e-2));
        }
    }
}
