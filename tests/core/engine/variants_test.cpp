#include "engine/engine.h"
#include "engine/model.h"
#include "support/catch.h"
#include "support/models.h"

#include <cmath>

using namespace hs;

namespace {

VariantRequest requestFor(const std::string& name)
{
    VariantRequest request;
    request.run.model = test::openGolden(name);
    for (int position = 0; position < 9; ++position)
        request.run.tokens.push_back((position * 5 + 2) % request.run.model->spec().vocabulary);
    request.target = 4;
    request.versus = 7;
    return request;
}

/// Every head alone, both ways, a whole layer, nothing, and heads of several layers.
void addVariants(VariantRequest& request)
{
    const HeadShape shape = request.run.model->spec().headShape();
    for (const auto kind : {HeadAblation::Kind::Zero, HeadAblation::Kind::Mean})
        for (int index = shape.total() - 1; index >= 0; --index)
            request.variants.push_back({{shape.at(index), {kind, {}}}});
    Ablations layer;
    for (int head = 0; head < shape.heads; ++head)
        layer[{shape.layers - 1, head}] = {};
    request.variants.push_back(layer);
    request.variants.push_back({});
    request.variants.push_back(
        {{{0, 0}, {}}, {{shape.layers - 1, shape.heads - 1}, {HeadAblation::Kind::Mean, {}}}});
}

/// The same reading from a run of its own.
VariantReading separately(const VariantRequest& request, const Ablations& more, const RunResult* baseline)
{
    RunRequest run = request.run;
    for (const auto& [head, ablation] : more)
        run.ablations[head] = ablation;
    run.capture.watched = {request.target, *request.versus};
    run.capture.logits = true;
    const RunResult result = test::value(Engine().run(run));
    VariantReading reading{result.watched[0].logit, result.watched[0].logit - result.watched[1].logit,
                           result.watched[0].probability, *result.loss, 0};
    if (!baseline)
        return reading;
    const std::size_t vocabulary = request.run.model->spec().vocabulary;
    const auto logProbabilities = [&](const std::vector<float>& logits) {
        std::vector<double> last(logits.end() - vocabulary, logits.end());
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

void requireEqual(const VariantReading& a, const VariantReading& b)
{
    REQUIRE(a.logit == Approx(b.logit).margin(1e-5));
    REQUIRE(a.logitDifference == Approx(b.logitDifference).margin(1e-5));
    REQUIRE(a.probability == Approx(b.probability).margin(1e-5));
    REQUIRE(a.loss == Approx(b.loss).margin(1e-5));
    REQUIRE(a.divergence == Approx(b.divergence).margin(1e-5));
}

RunResult baselineOf(const VariantRequest& request)
{
    RunRequest run = request.run;
    run.capture.logits = true;
    return test::value(Engine().run(run));
}

}  // namespace

TEST_CASE("variants run together read what each reads alone, on every architecture")
{
    const bool isGated = GENERATE(false, true);
    for (const std::string& name : test::goldenNames()) {
        INFO(name << (isGated ? " gated" : ""));
        VariantRequest request = requestFor(name);
        if (isGated)
            request.run.gate = ScoreGate{0.05};
        addVariants(request);
        const VariantResult together = test::value(Engine().runVariants(request));
        const RunResult baseline = baselineOf(request);
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
    VariantRequest request = requestFor(test::goldenNames().front());
    RunRequest other = request.run;
    std::reverse(other.tokens.begin(), other.tokens.end());
    other.capture.headOutputs = true;
    const auto source = test::value(Engine().run(other)).headOutputs;
    request.run.ablations[{0, 1}] = {HeadAblation::Kind::Mean, {}};
    request.variants = {{{{1, 0}, {HeadAblation::Kind::Replace, source}}}, {{{0, 1}, {}}}};
    const VariantResult together = test::value(Engine().runVariants(request));
    const RunResult baseline = baselineOf(request);
    for (std::size_t index = 0; index < request.variants.size(); ++index)
        requireEqual(together.variants[index], separately(request, request.variants[index], &baseline));
}

TEST_CASE("variants of heads that are not there, or of no token, are refused")
{
    VariantRequest request = requestFor(test::goldenNames().front());
    request.variants = {{{{99, 0}, {}}}};
    CHECK_FALSE(Engine().runVariants(request));
    request.variants.clear();
    request.target = -1;
    CHECK_FALSE(Engine().runVariants(request));
    request.target = *request.versus;
    CHECK_FALSE(Engine().runVariants(request));
}
