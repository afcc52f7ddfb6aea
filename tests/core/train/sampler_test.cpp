#include "train/sampler.h"

#include "base/failure.h"
#include "engine/load/weights_tensors.h"
#include "engine/run/engine.h"
#include "support/catch.h"
#include "support/models.h"
#include "train/parameters_tensors.h"

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

}  // namespace

TEST_CASE("what is drawn with cached keys and values is what the engine predicts from the whole text")
{
    constexpr int kLength = 12;
    for (const std::string& name : test::goldenNames()) {
        INFO(name);
        const std::shared_ptr<const engine::Model> model = certain(*test::openGolden(name));
        train::SamplerOptions options;
        options.tokens = 3 * kLength - 1;
        options.length = kLength;
        options.firstToken = 3;
        options.documentsAtOnce = 2;
        const std::vector<std::int32_t> drawn = train::sampleDocuments(*model, options);
        REQUIRE(drawn.size() == 3 * kLength);
        for (int length = 1; length < kLength; ++length) {
            engine::RunRequest request;
            request.model = model;
            request.tokens.assign(drawn.begin(), drawn.begin() + length);
            request.capture.loss = false;
            REQUIRE(test::value(engine::Engine().run(request)).predictions.front().token == drawn[length]);
        }
        CHECK(std::equal(drawn.begin(), drawn.begin() + kLength, drawn.begin() + kLength));
    }
}

TEST_CASE("the same seed draws the same documents, another one others")
{
    const std::shared_ptr<const engine::Model> model = test::openGolden(test::goldenNames().front());
    train::SamplerOptions options;
    options.tokens = 200;
    options.length = 10;
    const std::vector<std::int32_t> first = train::sampleDocuments(*model, options);
    CHECK(train::sampleDocuments(*model, options) == first);
    options.seed = 2;
    CHECK(train::sampleDocuments(*model, options) != first);
}

TEST_CASE("documents longer than the model's context are refused")
{
    const std::shared_ptr<const engine::Model> model = test::openGolden(test::goldenNames().front());
    train::SamplerOptions options;
    options.length = model->spec().context + 1;
    CHECK_THROWS_AS(train::sampleDocuments(*model, options), Failure);
}

TEST_CASE("more tokens than memory holds are refused before the first is drawn")
{
    train::SamplerOptions options;
    options.tokens = 1'000'000'000'000;
    options.length = 8;
    options.firstToken = 3;
    try {
        train::sampleDocuments(*test::openGolden("gpt2"), options);
        FAIL("nothing was refused");
    } catch (const Failure& failure) {
        CHECK(failure.error().message.find("smaller --self") != std::string::npos);
    }
}
