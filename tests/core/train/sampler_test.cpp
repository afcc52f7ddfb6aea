#include "train/sampler.h"

#include "base/failure.h"
#include "engine/load/weights_tensors.h"
#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"
#include "train/parameters_tensors.h"

#include <cmath>

using namespace hs;

namespace {

/// The same model with logits so far apart that drawing from them has one outcome.
std::shared_ptr<const engine::Model> certain(const engine::Model& model)
{
    const train::ParameterLayout layout(model.spec());
    auto weights = std::make_unique<engine::ModelWeights>(layout.unpack(layout.pack(model.weights())));
    at::Tensor& unembedding = weights->shared[static_cast<int>(model::Role::Unembedding)];
    unembedding = unembedding * 1e5;
    engine::Model::Facts facts = model.facts();
    facts.spec.logitCap.reset();  // which would bring them together again
    return std::make_shared<const engine::Model>(std::move(facts), std::move(weights));
}

std::shared_ptr<const engine::Model> someModel()
{
    return test::openGolden(test::goldenNames().front());
}

train::SampleRange rangeOf(std::int64_t count, int length)
{
    train::SampleRange range;
    range.count = count;
    range.length = length;
    range.firstToken = 3;
    return range;
}

std::vector<std::int32_t> drawn(std::shared_ptr<const engine::Model> model, const train::SampleRange& range)
{
    return train::Sampler(std::move(model), model::DType::F32).draw(range);
}

}  // namespace

TEST_CASE("what is drawn with cached keys and values is what the engine predicts from the whole text")
{
    constexpr int kLength = 12;
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const std::shared_ptr<const engine::Model> model = certain(*test::openGolden(name));
        train::SampleRange range = rangeOf(3, kLength);
        range.documentsAtOnce = 2;
        const std::vector<std::int32_t> documents = drawn(model, range);
        REQUIRE(documents.size() == 3 * kLength);
        for (int length = 1; length < kLength; ++length) {
            engine::RunRequest request;
            request.model = model;
            request.tokens.assign(documents.begin(), documents.begin() + length);
            request.capture.loss = false;
            REQUIRE(test::value(engine::Engine().run(request)).predictions.front().token ==
                    documents[length]);
        }
        CHECK(std::equal(documents.begin(), documents.begin() + kLength, documents.begin() + kLength));
    }
}

TEST_CASE("tokens are drawn as often as the model's probabilities say")
{
    constexpr std::int64_t kCount = 6000;
    const std::shared_ptr<const engine::Model> model = someModel();
    const std::vector<std::int32_t> documents = drawn(model, rangeOf(kCount, 2));
    engine::RunRequest request;
    request.model = model;
    request.tokens = {3};
    request.capture.topK = static_cast<int>(model->spec().vocabulary);
    const engine::RunResult run = test::value(engine::Engine().run(request));
    std::vector<double> counts(static_cast<std::size_t>(model->spec().vocabulary));
    for (std::size_t at = 1; at < documents.size(); at += 2)
        ++counts.at(static_cast<std::size_t>(documents[at]));
    REQUIRE(run.predictions.size() == counts.size());
    double chiSquare = 0;
    for (const auto& prediction : run.predictions) {
        const double expected = kCount * prediction.probability;
        const double off = counts[static_cast<std::size_t>(prediction.token)] - expected;
        chiSquare += off * off / expected;
    }
    const double freedom = static_cast<double>(counts.size()) - 1;
    CHECK(chiSquare < freedom + 4 * std::sqrt(2 * freedom));
    CHECK(chiSquare > freedom - 4 * std::sqrt(2 * freedom));
}

TEST_CASE("a document follows from seed and number, whatever is drawn beside it")
{
    const std::shared_ptr<const engine::Model> model = someModel();
    train::SampleRange range = rangeOf(20, 10);
    const std::vector<std::int32_t> first = drawn(model, range);
    CHECK(drawn(model, range) == first);
    for (const int atOnce : {1, 3, 20}) {
        range.documentsAtOnce = atOnce;
        CHECK(drawn(model, range) == first);
    }
    range.first = 7;
    range.count = 2;
    CHECK(drawn(model, range) == std::vector<std::int32_t>(first.begin() + 70, first.begin() + 90));
    range = rangeOf(20, 10);
    range.seed = 2;
    CHECK(drawn(model, range) != first);
}

TEST_CASE("documents that the model cannot read are refused")
{
    const std::shared_ptr<const engine::Model> model = someModel();
    CHECK_THROWS_AS(drawn(model, rangeOf(1, model->spec().context + 1)), Failure);
    train::SampleRange range = rangeOf(1, 4);
    range.firstToken = model->spec().vocabulary;
    CHECK_THROWS_AS(drawn(model, range), Failure);
}

TEST_CASE("drawing counts documents and can be stopped between two tokens")
{
    const train::Sampler sampler(someModel(), model::DType::F32);
    std::stop_source stop;
    int reports = 0;
    Hooks hooks;
    hooks.stop = stop.get_token();
    hooks.progress = [&](int done, int total) {
        CHECK(total == 5);
        CHECK(done <= total);
        if (++reports == 4)
            stop.request_stop();
    };
    const auto result = guarded([&] { return sampler.draw(rangeOf(5, 10), hooks); });
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().code == ErrorCode::Cancelled);
    CHECK(reports == 4);
}
