#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"

#include <cmath>

using namespace hs;

namespace {

engine::RunRequest readoutRequest(const std::string& golden)
{
    engine::RunRequest request;
    request.model = test::openGolden(golden);
    request.tokens = {3, 14, 15, 9, 26, 5, 3, 14};
    request.capture.logits = true;
    return request;
}

/// The prediction of a token at a position, according to the returned logits.
engine::Prediction expected(const engine::RunResult& result, int position, std::int64_t token)
{
    const std::size_t vocabulary = result.logits.size() / result.tokens.size();
    const float* const row = result.logits.data() + static_cast<std::size_t>(position) * vocabulary;
    double sum = 0;
    for (std::size_t other = 0; other < vocabulary; ++other)
        sum += std::exp(static_cast<double>(row[other]));
    return {token, std::exp(static_cast<double>(row[token])) / sum, row[token]};
}

std::string refusal(const engine::RunRequest& request)
{
    engine::Engine engine;
    const auto refused = engine.run(request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::BadRequest);
    CHECK(refused.error().message.ends_with("."));
    return refused.error().message;
}

}  // namespace

TEST_CASE("predictions are read at the position asked for, at the last one by default")
{
    engine::RunRequest request = readoutRequest("gpt2");
    request.capture.loss = request.capture.logits = GENERATE(true, false);
    engine::RunRequest withLogits = request;
    withLogits.capture.logits = true;
    engine::Engine engine;
    const engine::RunResult known = test::value(engine.run(withLogits));
    CHECK(known.position == 7);
    for (int position = 0; position < 8; ++position) {
        request.capture.position = position;
        const engine::RunResult result = test::value(engine.run(request));
        CHECK(result.position == position);
        REQUIRE(result.predictions.size() == 10);
        for (std::size_t rank = 0; rank < 10; ++rank) {
            const engine::Prediction& prediction = result.predictions[rank];
            const engine::Prediction wanted = expected(known, position, prediction.token);
            CHECK(prediction.logit == Approx(wanted.logit).margin(1e-5));
            CHECK(prediction.probability == Approx(wanted.probability).margin(1e-6));
            if (rank > 0)
                CHECK(prediction.logit <= result.predictions[rank - 1].logit);
        }
    }
    const engine::RunResult atTheEnd = test::value(engine.run(request));
    for (std::size_t rank = 0; rank < 10; ++rank)
        CHECK(atTheEnd.predictions[rank].token == known.predictions[rank].token);
}

TEST_CASE("watched tokens are read whatever their rank, in the order asked for")
{
    engine::RunRequest request = readoutRequest("llama-grouped");
    request.capture.topK = 2;
    request.capture.position = 3;
    const std::int64_t vocabulary = request.model->spec().vocabulary;
    for (std::int64_t token = vocabulary - 1; token >= 0; --token)
        request.capture.watched.push_back(token);
    engine::Engine engine;
    const engine::RunResult result = test::value(engine.run(request));
    REQUIRE(result.watched.size() == static_cast<std::size_t>(vocabulary));
    double sum = 0;
    for (std::size_t index = 0; index < result.watched.size(); ++index) {
        const engine::Prediction& prediction = result.watched[index];
        CHECK(prediction.token == request.capture.watched[index]);
        CHECK(prediction.logit == Approx(expected(result, 3, prediction.token).logit));
        sum += prediction.probability;
    }
    CHECK(sum == Approx(1));
    CHECK(result.predictions.size() == 2);
    CHECK(result.watched[static_cast<std::size_t>(vocabulary - 1 - result.predictions[0].token)] ==
          result.predictions[0]);
}

TEST_CASE("reading elsewhere computes no layer again")
{
    engine::RunRequest request = readoutRequest("olmo2");
    const int layers = request.model->spec().layers;
    engine::Engine engine;
    const engine::RunResult first = test::value(engine.run(request));
    request.capture.position = 2;
    request.capture.watched = {5, 5, 1};
    const engine::RunResult again = test::value(engine.run(request));
    CHECK(again.firstLayerComputed == layers);
    CHECK(again.logits == first.logits);
    CHECK(again.loss == first.loss);
    request.capture.position.reset();
    request.capture.watched.clear();
    const engine::RunResult back = test::value(engine.run(request));
    CHECK(back.firstLayerComputed == layers);
    CHECK(back.predictions == first.predictions);
    CHECK(back.watched.empty());
}

TEST_CASE("positions and watched tokens that are not there are refused in a sentence")
{
    engine::RunRequest request = readoutRequest("gpt2");
    for (const int position : {-1, 8, 2'000'000'000}) {
        request.capture.position = position;
        CHECK(refusal(request).find("from 0 to 7") != std::string::npos);
    }
    request.capture.position.reset();
    for (const std::int64_t token : {std::int64_t{-1}, std::int64_t{61}}) {
        request.capture.watched = {0, token};
        CHECK(refusal(request).find("from 0 to 60") != std::string::npos);
    }
}

TEST_CASE("the parts of a run's time are within the whole of it")
{
    engine::RunRequest request = readoutRequest("gpt2");
    request.capture.loss = request.capture.logits = GENERATE(true, false);
    const engine::RunResult result = test::value(engine::Engine().run(request));
    const engine::RunTimes& times = result.times;
    for (const double part : {times.preparing, times.layers, times.summaries, times.loss, times.predictions})
        CHECK(part >= 0);
    CHECK(times.layers > 0);
    CHECK(times.preparing + times.layers + times.summaries + times.loss + times.predictions <=
          result.milliseconds + 1e-6);
}
