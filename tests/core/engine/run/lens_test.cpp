#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"

#include <cmath>

using namespace hs;

namespace {

engine::RunRequest lensRequest(const std::string& golden)
{
    engine::RunRequest request;
    request.model = test::openGolden(golden);
    request.tokens = {3, 14, 15, 9, 26, 5, 3, 14, 58, 9, 7};
    request.capture.topK = 5;
    request.capture.watched = {12, 40};
    return request;
}

/// What a run predicts at a position, read off all of its logits.
engine::LensReading predictedAt(engine::RunRequest request, int position)
{
    request.capture.position = position;
    request.capture.topK = request.model->spec().vocabulary;
    const engine::RunResult run = test::value(engine::Engine().run(request));
    engine::LensReading reading{position, {run.predictions.begin(), run.predictions.begin() + 5}, {}};
    for (const engine::Prediction& watched : run.watched) {
        engine::TokenRank rank{1, watched.probability};
        for (const engine::Prediction& other : run.predictions)
            rank.rank += other.logit > watched.logit ? 1 : 0;
        reading.watched.push_back(rank);
    }
    return reading;
}

void requireNear(const engine::LensReading& actual, const engine::LensReading& expected)
{
    REQUIRE(actual.position == expected.position);
    REQUIRE(actual.top.size() == expected.top.size());
    for (std::size_t index = 0; index < expected.top.size(); ++index) {
        CHECK(actual.top[index].token == expected.top[index].token);
        CHECK(actual.top[index].probability == Approx(expected.top[index].probability).margin(1e-6));
        CHECK(actual.top[index].logit == Approx(expected.top[index].logit).epsilon(1e-5).margin(1e-5));
    }
    REQUIRE(actual.watched.size() == expected.watched.size());
    for (std::size_t index = 0; index < expected.watched.size(); ++index) {
        CHECK(actual.watched[index].rank == expected.watched[index].rank);
        CHECK(actual.watched[index].probability == Approx(expected.watched[index].probability).margin(1e-6));
    }
}

}  // namespace

TEST_CASE("the lens at the last layer is the prediction at every position, in every architecture")
{
    const std::string name = GENERATE(from_range(test::goldenNames()));
    INFO(name);
    engine::RunRequest request = lensRequest(name);
    SECTION("as it is") {}
    SECTION("gated, with heads switched off")
    {
        request.gate = engine::ScoreGate{0.25};
        request.ablations[{0, 1}] = {};
        request.ablations[{1, 0}] = {engine::HeadAblation::Kind::Mean, {}};
    }
    engine::Engine engine;
    const engine::Lens lens = test::value(engine.lens(request, false));
    const int layers = request.model->spec().layers;
    REQUIRE(lens.size() == static_cast<std::size_t>(layers) + 1);
    for (int layer = 0; layer <= layers; ++layer) {
        CHECK(lens[static_cast<std::size_t>(layer)].layer == layer);
        CHECK(lens[static_cast<std::size_t>(layer)].positions.size() == request.tokens.size());
    }
    for (int position = 0; position < static_cast<int>(request.tokens.size()); ++position)
        requireNear(lens.back().positions[static_cast<std::size_t>(position)],
                    predictedAt(request, position));
}

TEST_CASE("the lens at one position is that of all positions")
{
    engine::RunRequest request = lensRequest("gemma2");
    engine::Engine engine;
    const engine::Lens all = test::value(engine.lens(request, true));
    request.capture.position = 6;
    const engine::Lens one = test::value(engine.lens(request, true));
    REQUIRE(one.size() == all.size());
    for (std::size_t layer = 0; layer < all.size(); ++layer) {
        CHECK(one[layer].layer == all[layer].layer);
        REQUIRE(one[layer].positions.size() == 1);
        requireNear(one[layer].positions[0], all[layer].positions[6]);
    }
}

TEST_CASE("halves lie between the layers, and with no head left equal the layer below")
{
    const std::string name = GENERATE(as<std::string>(), "mistral-window", "olmo2", "gemma3");
    INFO(name);
    engine::RunRequest request = lensRequest(name);
    for (int head = 0; head < request.model->spec().heads; ++head)
        request.ablations[{1, head}] = {};
    engine::Engine engine;
    const engine::Lens lens = test::value(engine.lens(request, true));
    for (std::size_t index = 0; index < lens.size(); ++index)
        CHECK(lens[index].layer == static_cast<double>(index) / 2);
    CHECK(lens[3].positions == lens[2].positions);
    CHECK(lens[1].positions != lens[0].positions);
    CHECK(lens[4].positions != lens[3].positions);
}

TEST_CASE("the lens at the embedding knows the token at its position alone")
{
    const std::string name = GENERATE(as<std::string>(), "llama-grouped", "gpt_neox-parallel", "gemma2");
    INFO(name);
    const engine::RunRequest request = lensRequest(name);
    const engine::LensLayer embedding = test::value(engine::Engine().lens(request, false)).front();
    const auto readingAt = [&](std::size_t position) {
        engine::LensReading reading = embedding.positions[position];
        reading.position = 0;
        return reading;
    };
    requireNear(readingAt(0), readingAt(6));  // both are token 3
    CHECK(readingAt(0).top != readingAt(1).top);
}

TEST_CASE("a lens uses the engine's memory of its run, and stops when it is told to")
{
    const engine::RunRequest request = lensRequest("gpt2");
    engine::Engine engine;
    (void)test::value(engine.lens(request, false));
    CHECK(test::value(engine.run(request)).firstLayerComputed == request.model->spec().layers);
    std::stop_source stop;
    stop.request_stop();
    CHECK(engine.lens(request, false, {{}, stop.get_token()}).error().code == ErrorCode::Cancelled);
    engine::RunRequest wrong = request;
    wrong.capture.watched = {61};
    CHECK(engine.lens(wrong, false).error().message.find("from 0 to 60") != std::string::npos);
}
