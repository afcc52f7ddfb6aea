#include "features/effects/scaled_features_tensors.h"

#include "core/features/effects/random_coders.h"
#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"

#include <cmath>

using namespace hs;
using features::Place;

namespace {

features::GraphRequest requestFor(const std::string& golden, bool crossesLayers, bool hasSkip, Place place)
{
    features::GraphRequest request;
    request.run.model = test::openGolden(golden);
    const model::ArchSpec& spec = request.run.model->spec();
    for (int position = 0; position < 9; ++position)
        request.run.tokens.push_back((position * 5 + 2) % spec.vocabulary);
    if (spec.gateBias)
        request.run.gate = engine::ScoreGate{*spec.gateBias};
    request.coders = test::randomCoders(spec, crossesLayers, hasSkip, place);
    request.options.logits = 3;
    return request;
}

/// Features of the first layer that fire somewhere before the end, the strongest first.
std::vector<FeatureId> firing(const features::GraphRequest& request)
{
    const features::HeldRun run = features::holdRun(request, at::kFloat, {});
    const at::Tensor order = run.activations[0].amax(0).argsort(0, /*descending=*/true);
    std::vector<FeatureId> features;
    for (std::int64_t index = 0; index < 3; ++index)
        features.push_back({0, static_cast<int>(order[index].item<std::int64_t>())});
    return features;
}

}  // namespace

TEST_CASE("features scaled by one write nothing, and twice the change is twice what is written")
{
    const features::GraphRequest request = requestFor("gpt2", true, false, Place::MlpInput);
    const FeatureId feature = firing(request).front();
    const auto writes = [&](double factor) {
        return test::value(features::scaledWrites(request.run, request.coders, {{feature, {}, factor}}));
    };
    CHECK_FALSE(writes(1));
    const engine::SharedWrites off = writes(0);
    const engine::SharedWrites doubled = writes(2);
    REQUIRE(off);
    REQUIRE(doubled);
    REQUIRE(off->rows.size() == doubled->rows.size());
    for (const auto& [place, row] : off->rows)
        for (std::size_t index = 0; index < row.size(); ++index)
            REQUIRE(doubled->rows.at(place)[index] == Approx(-row[index]).margin(1e-7));
    // Across layers a feature writes into its own layer and all later ones.
    CHECK(off->rows.rbegin()->first.layer == request.run.model->spec().layers - 1);
}

TEST_CASE("a scale at a position writes there alone, and of several the last one counts")
{
    const features::GraphRequest request = requestFor("llama-grouped", false, false, Place::Middle);
    const FeatureId feature = firing(request).front();
    const auto writes = [&](std::vector<FeatureScale> scales) {
        return test::value(features::scaledWrites(request.run, request.coders, std::move(scales)));
    };
    const engine::SharedWrites everywhere = writes({{feature, {}, 0}});
    REQUIRE(everywhere);
    const engine::WritePlace place = everywhere->rows.begin()->first;
    const engine::SharedWrites there = writes({{feature, place.position, 0}});
    REQUIRE(there);
    REQUIRE(there->rows.size() == 1);
    CHECK(there->rows.begin()->first == place);
    CHECK(there->rows.begin()->second == everywhere->rows.begin()->second);
    CHECK_FALSE(writes({{feature, {}, 0}, {feature, {}, 1}}));
    const engine::SharedWrites others = writes({{feature, {}, 0}, {feature, place.position, 1}});
    CHECK((others ? others->rows.size() : 0) == everywhere->rows.size() - 1);
}

TEST_CASE("with everything held, scaled features change logits by what their edges predict")
{
    const std::string golden = GENERATE(from_range(test::goldenNames()));
    const bool crossesLayers = GENERATE(true, false);
    features::GraphRequest request =
        requestFor(golden, crossesLayers, !crossesLayers, crossesLayers ? Place::Middle : Place::MlpInput);
    if (crossesLayers) {
        request.target = 4;
        request.versus = 7;
    }
    std::vector<FeatureScale> scales;
    for (const FeatureId feature : firing(request))
        scales.push_back({feature, {}, scales.empty() ? 0.0 : 2.0});
    const features::ScaledEffects effects = test::value(features::scaledEffects(request, scales));
    CHECK(effects.places > 0);
    REQUIRE(effects.logits.size() == (crossesLayers ? 1U : 3U));
    double largest = 0;
    for (const features::ScaledLogit& logit : effects.logits)
        largest = std::max(largest, std::abs(logit.predicted));
    CHECK(largest > 0);
    for (const features::ScaledLogit& logit : effects.logits) {
        INFO(golden << ", token " << logit.token);
        CHECK(std::abs(logit.predicted - logit.constrained) <= 1e-3 * largest + 1e-5);
    }
}

TEST_CASE("with nothing held, the change is that between two runs, and held patterns leave attention alone")
{
    const features::GraphRequest request = requestFor(
        GENERATE(as<std::string>(), "gpt2", "olmo2", "llama-grouped"), true, false, Place::MlpInput);
    const std::vector<FeatureScale> scales = {{firing(request).front(), {}, 0}};
    const features::ScaledEffects effects = test::value(features::scaledEffects(request, scales));
    engine::RunRequest run = request.run;
    for (const features::ScaledLogit& logit : effects.logits)
        run.capture.watched.push_back(logit.token);
    run.capture.logits = true;
    const auto read = [&](const engine::RunResult& result, std::size_t index) {
        const auto vocabulary = static_cast<std::size_t>(run.model->spec().vocabulary);
        double mean = 0;
        for (std::size_t token = 0; token < vocabulary; ++token)
            mean += result.logits[result.logits.size() - vocabulary + token];
        return result.watched[index].logit - mean / static_cast<double>(vocabulary);
    };
    const engine::RunResult before = test::value(engine::Engine().run(run));
    run.writes = test::value(features::scaledWrites(request.run, request.coders, scales));
    const engine::RunResult after = test::value(engine::Engine().run(run));
    for (std::size_t index = 0; index < effects.logits.size(); ++index) {
        CHECK(effects.logits[index].before == Approx(before.watched[index].logit).epsilon(1e-4));
        CHECK(effects.logits[index].free ==
              Approx(read(after, index) - read(before, index)).epsilon(1e-3).margin(1e-4));
    }

    // A change in the last layer reaches no pattern any more.
    const features::HeldRun held = features::holdRun(request, at::kFloat, {});
    const int last = run.model->spec().layers - 1;
    const at::Tensor fires = held.activations[static_cast<std::size_t>(last)].amax(0);
    const FeatureId late{last, static_cast<int>(fires.argmax().item<std::int64_t>())};
    for (const features::ScaledLogit& logit :
         test::value(features::scaledEffects(request, {{late, {}, 0}})).logits)
        CHECK(logit.frozen == Approx(logit.free).epsilon(1e-3).margin(1e-4));
}

TEST_CASE("features and positions that are not there are refused with a sentence")
{
    const features::GraphRequest request = requestFor("gpt2", true, false, Place::MlpInput);
    const auto refusalOf = [&](const FeatureScale& scale) {
        const auto result = features::scaledWrites(request.run, request.coders, {scale});
        REQUIRE_FALSE(result);
        return result.error().message;
    };
    CHECK(refusalOf({{9, 0}, {}, 0}).find("no feature L9F0") != std::string::npos);
    CHECK(refusalOf({{0, 24}, {}, 0}).find("no feature L0F24") != std::string::npos);
    CHECK(refusalOf({{0, 0}, 9, 0}).find("no position 9") != std::string::npos);
}
