#include "engine/load/model.h"
#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"

#include <cmath>

using namespace hs;

namespace {

engine::VariantRequest requestFor(const std::string& name)
{
    engine::VariantRequest request;
    request.run.model = test::openGolden(name);
    for (int position = 0; position < 9; ++position)
        request.run.tokens.push_back((position * 5 + 2) % request.run.model->spec().vocabulary);
    request.target = 4;
    request.versus = 7;
    return request;
}

/// Every head alone by zero and by mean, a whole layer, nothing, and heads of several layers.
void addVariants(engine::VariantRequest& request)
{
    const HeadShape shape = request.run.model->spec().headShape();
    for (const auto kind : {engine::HeadAblation::Kind::Zero, engine::HeadAblation::Kind::Mean})
        for (const HeadId unit : shape.all(Units::HeadsAndMlps))
            request.variants.push_back({{unit, {kind, {}}}});
    std::ranges::reverse(request.variants);
    engine::Ablations layer;
    for (int head = 0; head < shape.heads; ++head)
        layer[{shape.layers - 1, head}] = {};
    request.variants.push_back(layer);
    request.variants.push_back({});
    request.variants.push_back(
        {{{0, 0}, {}}, {{shape.layers - 1, shape.heads - 1}, {engine::HeadAblation::Kind::Mean, {}}}});
}

/// Cells of one head, all but some of another, both, and a whole head, from a run that differs late.
void addPatches(engine::VariantRequest& request)
{
    const HeadShape shape = request.run.model->spec().headShape();
    engine::RunRequest other = request.run;
    other.tokens[3] = 1;
    other.capture.headOutputs = other.capture.headCells = true;
    const auto source = test::value(engine::Engine().run(other)).headOutputs;
    const auto patch = [&](engine::CellMask mask) {
        return engine::HeadAblation{engine::HeadAblation::Kind::Replace, source,
                                    std::make_shared<const engine::CellMask>(std::move(mask))};
    };
    const HeadId early{0, shape.heads - 1};
    const HeadId late{shape.layers - 1, 0};
    for (int query = 2; query < 9; ++query)
        request.variants.push_back({{early, patch({{{query, 2}}})}});
    request.variants.push_back({{late, patch({{{8, 3}, {5, 5}}})}});
    request.variants.push_back({{late, patch({{{8, 3}, {5, 3}}, /*isRest=*/true})}});
    request.variants.push_back({{early, patch({{{4, 3}, {7, 4}}})}, {late, patch({{{8, 8}}, true})}});
    for (const HeadId whole : {early, HeadId::mlpOf(0), HeadId::mlpOf(shape.layers - 1)})
        request.variants.push_back({{whole, {engine::HeadAblation::Kind::Replace, source}}});
    request.variants.push_back({});
}

/// The same reading from a run of its own.
engine::VariantReading separately(const engine::VariantRequest& request, const engine::Ablations& more,
                                  const engine::RunResult* baseline)
{
    engine::RunRequest run = request.run;
    for (const auto& [head, ablation] : more)
        run.ablations[head] = ablation;
    run.capture.watched = {request.target, *request.versus};
    run.capture.logits = true;
    const engine::RunResult result = test::value(engine::Engine().run(run));
    engine::VariantReading reading{result.watched[0].logit, result.watched[0].logit - result.watched[1].logit,
                                   result.watched[0].probability, *result.loss, 0};
    if (!baseline)
        return reading;
    const std::size_t vocabulary = request.run.model->spec().vocabulary;
    const auto logProbabilities = [&](const std::vector<float>& logits) {
        const auto row = logits.begin() + static_cast<std::ptrdiff_t>(result.position * vocabulary);
        std::vector<double> last(row, row + static_cast<std::ptrdiff_t>(vocabulary));
        double sum = 0;
        for (const double logit : last)
            sum += std::exp(logit);
        for (double& logit : last)
            logit -= std::log(sum);
        return last;
    };
    const std::vector<double> was = logProbabilities(baseline->logits);
    const std::vector<double> is = logProbabilities(result.logits);
    for (std::size_t token = 0; token < vocabulary; ++token)
        reading.divergence += std::exp(was[token]) * (was[token] - is[token]);
    return reading;
}

void requireEqual(const engine::VariantReading& a, const engine::VariantReading& b)
{
    static constexpr double kMargin = 5e-5;  // one run and many go through different kernels
    REQUIRE(a.logit == Approx(b.logit).margin(kMargin));
    REQUIRE(a.logitDifference == Approx(b.logitDifference).margin(kMargin));
    REQUIRE(a.probability == Approx(b.probability).margin(kMargin));
    REQUIRE(a.loss == Approx(b.loss).margin(kMargin));
    REQUIRE(a.divergence == Approx(b.divergence).margin(kMargin));
}

engine::RunResult baselineOf(const engine::VariantRequest& request)
{
    engine::RunRequest run = request.run;
    run.capture.logits = true;
    return test::value(engine::Engine().run(run));
}

}  // namespace

TEST_CASE("variants run together read what each reads alone, on every architecture")
{
    const bool isGated = GENERATE(false, true);
    for (const std::string& name : test::goldenNames()) {
        INFO(name << (isGated ? " gated" : ""));
        engine::VariantRequest request = requestFor(name);
        if (isGated)
            request.run.gate = engine::ScoreGate{0.05};
        addVariants(request);
        const engine::VariantResult together = test::value(engine::Engine().runVariants(request));
        const engine::RunResult baseline = baselineOf(request);
        requireEqual(together.baseline, separately(request, {}, nullptr));
        REQUIRE(together.variants.size() == request.variants.size());
        for (std::size_t index = 0; index < request.variants.size(); ++index) {
            CAPTURE(index);
            requireEqual(together.variants[index], separately(request, request.variants[index], &baseline));
        }
    }
}

TEST_CASE("variants add to what the baseline ablates already, and take outputs of other runs")
{
    engine::VariantRequest request = requestFor(test::goldenNames().front());
    engine::RunRequest other = request.run;
    std::reverse(other.tokens.begin(), other.tokens.end());
    other.capture.headOutputs = true;
    const auto source = test::value(engine::Engine().run(other)).headOutputs;
    request.run.ablations[{0, 1}] = {engine::HeadAblation::Kind::Mean, {}};
    request.variants = {{{{1, 0}, {engine::HeadAblation::Kind::Replace, source}}}, {{{0, 1}, {}}}};
    const engine::VariantResult together = test::value(engine::Engine().runVariants(request));
    const engine::RunResult baseline = baselineOf(request);
    for (std::size_t index = 0; index < request.variants.size(); ++index)
        requireEqual(together.variants[index], separately(request, request.variants[index], &baseline));
}

TEST_CASE("variants with patched cells read what each reads alone, wherever they are read")
{
    const bool isGated = GENERATE(false, true);
    const std::optional<int> position = GENERATE(std::optional<int>(), std::optional<int>(5));
    const bool wantsLoss = GENERATE(false, true);
    for (const std::string& name : test::goldenNames()) {
        INFO(name << (isGated ? " gated" : "") << (position ? ", in the middle" : ""));
        engine::VariantRequest request = requestFor(name);
        request.run.capture.position = position;
        request.loss = wantsLoss;
        if (isGated)
            request.run.gate = engine::ScoreGate{0.05};
        addPatches(request);
        engine::Engine engine;
        const engine::VariantResult together = test::value(engine.runVariants(request));
        const engine::RunResult baseline = baselineOf(request);
        for (std::size_t index = 0; index < request.variants.size(); ++index) {
            CAPTURE(index);
            engine::VariantReading alone = separately(request, request.variants[index], &baseline);
            engine::VariantReading beside = together.variants[index];
            CHECK(std::isnan(beside.loss) == !wantsLoss);
            if (!wantsLoss)
                alone.loss = beside.loss = 0;
            requireEqual(beside, alone);
        }
    }
}

TEST_CASE("variants come in portions, and one that was told stays as it was")
{
    engine::VariantRequest request = requestFor("gpt2");
    for (int round = 0; round < 40; ++round)
        addVariants(request);
    std::vector<engine::VariantResult> told;
    engine::Engine engine;
    const engine::VariantResult all = test::value(engine.runVariants(
        request, {}, [&](const engine::VariantResult& result) { told.push_back(result); }));
    REQUIRE(told.size() > 1);
    std::size_t known = 0;
    for (const engine::VariantResult& result : told) {
        REQUIRE(result.variants.size() == request.variants.size());
        std::size_t now = 0;
        for (std::size_t index = 0; index < result.variants.size(); ++index)
            if (!std::isnan(result.variants[index].logit)) {
                ++now;
                CHECK(result.variants[index].logit == all.variants[index].logit);
            }
        CHECK(now > known);
        known = now;
    }
    CHECK(known == request.variants.size());
}

TEST_CASE("variants of heads that are not there, or of no token, are refused")
{
    engine::VariantRequest request = requestFor(test::goldenNames().front());
    request.variants = {{{{99, 0}, {}}}};
    CHECK_FALSE(engine::Engine().runVariants(request));
    request.variants.clear();
    request.target = -1;
    CHECK_FALSE(engine::Engine().runVariants(request));
    request.target = *request.versus;
    CHECK_FALSE(engine::Engine().runVariants(request));
}
