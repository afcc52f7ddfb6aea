#include "base/draws.h"
#include "engine/load/weights_tensors.h"
#include "engine/run/engine.h"
#include "engine/run/head_outputs_tensors.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/skip.h"
#include "text/single_token.h"
#include "text/tokenizer.h"

#include <map>

// Numbers that TransformerLens publishes for GPT-2 small, checked against the real weights if the usual
// download cache has them. There, biases of values are part of the output bias, so that a head without its
// values is a head without output, and L9H9 is switched off at the last position only.

using namespace hs;

namespace {

constexpr double kLogitMargin = 0.02;
constexpr double kScoreMargin = 0.01;

/// The same model with biases of values folded into the output bias, which is equivalent: weights sum to 1.
std::shared_ptr<const engine::Model> withFoldedValueBiases(const engine::Model& model)
{
    const model::ArchSpec& spec = model.spec();
    auto weights = std::make_unique<engine::ModelWeights>(model.weights());
    for (engine::ModelWeights::Table& layer : weights->layers) {
        const auto of = [&](model::Role role) -> at::Tensor& {
            return layer[static_cast<std::size_t>(role)];
        };
        of(model::Role::QkvBias) = of(model::Role::QkvBias).clone();
        const at::Tensor values =
            of(model::Role::QkvBias).narrow(0, spec.queryWidth() + spec.kvWidth(), spec.kvWidth());
        of(model::Role::OutBias) = of(model::Role::OutBias) + at::mv(of(model::Role::OutWeight), values);
        values.zero_();
    }
    return std::make_shared<const engine::Model>(model.facts(), std::move(weights));
}

/// The outputs of a run, with one head's zeroed at the last position.
std::shared_ptr<const engine::HeadOutputs> outputsWithout(HeadId head, engine::RunRequest run,
                                                          engine::Engine& engine)
{
    run.capture.headOutputs = true;
    const auto outputs = test::value(engine.run(run)).headOutputs;
    std::vector<engine::HeadOutputs::Layer> layers;
    for (int layer = 0; layer < outputs->layerCount(); ++layer) {
        layers.push_back({outputs->z(layer).clone(), {}, {}, {}});
        if (layer == head.layer)
            layers.back().z[static_cast<std::int64_t>(run.tokens.size()) - 1][head.head].zero_();
    }
    return std::make_shared<const engine::HeadOutputs>(run, std::move(layers));
}

struct Gpt2 {
    std::shared_ptr<const engine::Model> model;
    std::shared_ptr<const text::Tokenizer> tokenizer;

    /// The prompt after <|endoftext|>.
    engine::RunRequest request(const std::string& text) const
    {
        engine::RunRequest request;
        request.model = model;
        request.tokens = test::value(tokenizer->encode(text, /*addSpecial=*/false)).ids;
        request.tokens.insert(request.tokens.begin(), tokenizer->bosId().value());
        return request;
    }
    std::int64_t token(const std::string& text) const
    {
        return test::value(text::singleToken(*tokenizer, text));
    }
};

Gpt2 gpt2()
{
    for (const char* const name : {"openai-community/gpt2", "gpt2"}) {
        const auto files = model::locateModel(name, model::Environment::fromProcess());
        if (files && !files->weights.empty())
            return Gpt2{withFoldedValueBiases(*test::value(engine::loadModel(*files, test::testOptions()))),
                        test::value(text::Tokenizer::load(files->tokenizerFolder))};
    }
    test::skipTest("openai-community/gpt2 is not in the Hugging Face cache");
}

struct Question {
    std::string text;
    std::string target;
    std::string versus;
    double difference;
};

const std::vector<Question> kQuestions = {
    {"When John and Mary went to the shops, John gave the bag to", " Mary", " John", 3.3367},
    {"When John and Mary went to the shops, Mary gave the bag to", " John", " Mary", 3.2016},
    {"When Tom and James went to the park, James gave the ball to", " Tom", " James", 2.7094},
    {"When Tom and James went to the park, Tom gave the ball to", " James", " Tom", 3.7974},
    {"When Dan and Sid went to the shops, Sid gave an apple to", " Dan", " Sid", 1.7204},
    {"When Dan and Sid went to the shops, Dan gave an apple to", " Sid", " Dan", 5.2812},
    {"After Martin and Amy went to the park, Amy gave a drink to", " Martin", " Amy", 2.6008},
    {"After Martin and Amy went to the park, Martin gave a drink to", " Amy", " Martin", 5.7674}};

engine::AttributionRequest attributionOf(const Gpt2& gpt, const Question& question)
{
    engine::AttributionRequest request;
    request.run = gpt.request(question.text);
    request.target = gpt.token(question.target);
    request.versus = gpt.token(question.versus);
    return request;
}

/// Mean weight of the cells `back` tokens before their query, over random tokens that occur twice.
class RepeatedTokenScores {
public:
    explicit RepeatedTokenScores(const Gpt2& gpt)
    {
        Draws draws({2026});
        for (int sequence = 0; sequence < kSequences; ++sequence) {
            engine::RunRequest request;
            request.model = gpt.model;
            request.capture.fullMaps = true;
            for (int position = 0; position < kOnce; ++position)
                request.tokens.push_back(draws.between(100, 19999));
            const std::vector<std::int64_t> once = request.tokens;
            request.tokens.insert(request.tokens.end(), once.begin(), once.end());
            engine::Engine engine;
            m_runs.push_back(test::value(engine.run(request)));
        }
    }

    double previous(HeadId head) const { return mean(head, 1); }
    double duplicate(HeadId head) const { return mean(head, kOnce); }
    double induction(HeadId head) const { return mean(head, kOnce - 1); }

private:
    static constexpr int kOnce = 50;
    static constexpr int kSequences = 8;

    double mean(HeadId head, int back) const
    {
        double sum = 0;
        for (const engine::RunResult& run : m_runs)
            for (int query = back; query < 2 * kOnce; ++query)
                sum += run.mapOf(head)[query * 2 * kOnce + query - back];
        return sum / (kSequences * (2 * kOnce - back));
    }

    std::vector<engine::RunResult> m_runs;
};

}  // namespace

TEST_CASE("biases of values in the output bias change no logit")
{
    engine::RunRequest request;
    request.model = test::openGolden("gpt2");
    request.tokens = {1, 5, 2, 9, 4};
    request.capture.logits = true;
    engine::Engine engine;
    const std::vector<float> logits = test::value(engine.run(request)).logits;
    request.model = withFoldedValueBiases(*request.model);
    const std::vector<float> folded = test::value(engine.run(request)).logits;
    REQUIRE(folded.size() == logits.size());
    for (std::size_t index = 0; index < logits.size(); ++index)
        REQUIRE(folded[index] == Approx(logits[index]).margin(1e-5));
}

TEST_CASE("GPT-2 small predicts what is published")
{
    const Gpt2 gpt = gpt2();
    engine::RunRequest request =
        gpt.request("After John and Mary went to the store, John gave a bottle of milk to");
    request.capture.watched = {gpt.token(" Mary"), gpt.token(" the"), gpt.token(" John")};
    engine::Engine engine;
    const std::vector<engine::Prediction> watched = test::value(engine.run(request)).watched;
    CHECK(watched[0].probability == Approx(0.7007).margin(0.002));
    CHECK(watched[1].probability == Approx(0.0467).margin(0.002));
    CHECK(watched[2].probability == Approx(0.0454).margin(0.002));
    CHECK(watched[0].logit - watched[2].logit == Approx(2.736).margin(kLogitMargin));
}

TEST_CASE("GPT-2 small has the published logit differences and direct attributions")
{
    const Gpt2 gpt = gpt2();
    std::map<HeadId, double> sums;
    engine::Engine engine;
    for (const Question& question : kQuestions) {
        INFO(question.text);
        const engine::Attribution attribution = test::value(engine.attribute(attributionOf(gpt, question)));
        CHECK(attribution.logit == Approx(question.difference).margin(kLogitMargin));
        for (int index = 0; index < attribution.shape.total(); ++index)
            sums[attribution.shape.at(index)] += attribution.heads[static_cast<std::size_t>(index)];
    }
    const std::map<HeadId, double> published = {
        {{9, 9}, 2.985}, {{9, 6}, 1.384}, {{10, 0}, 0.561}, {{11, 10}, -0.970}, {{10, 7}, -1.899}};
    for (const auto& [head, value] : published) {
        INFO(toString(head));
        CHECK(sums[head] / static_cast<double>(kQuestions.size()) == Approx(value).margin(kLogitMargin));
    }
}

TEST_CASE("GPT-2 small without L9H9 keeps the published logit difference")
{
    const Gpt2 gpt = gpt2();
    double sum = 0;
    engine::Engine engine;
    for (const Question& question : kQuestions) {
        engine::AttributionRequest asked = attributionOf(gpt, question);
        asked.run.ablations[{9, 9}] = {
            engine::HeadAblation::Kind::Replace, outputsWithout({9, 9}, asked.run, engine), {}};
        sum += test::value(engine.attribute(asked)).logit;
    }
    CHECK(sum / static_cast<double>(kQuestions.size()) == Approx(2.917).margin(kLogitMargin));
}

TEST_CASE("GPT-2 small has the published scores on random tokens that come twice")
{
    const Gpt2 gpt = gpt2();
    const RepeatedTokenScores scores(gpt);
    const std::map<HeadId, double> induction = {
        {{5, 1}, 0.931}, {{6, 9}, 0.926}, {{5, 5}, 0.926}, {{7, 10}, 0.904}, {{7, 2}, 0.851}};
    for (const auto& [head, value] : induction) {
        INFO(toString(head));
        CHECK(scores.induction(head) == Approx(value).margin(kScoreMargin));
    }
    CHECK(scores.previous({4, 11}) == Approx(0.992).margin(kScoreMargin));
    CHECK(scores.duplicate({0, 5}) == Approx(0.703).margin(kScoreMargin));
    CHECK(scores.duplicate({3, 0}) == Approx(0.678).margin(kScoreMargin));
}

TEST_CASE("GPT-2 small has the published loss, and that without the values of L0H8")
{
    const Gpt2 gpt = gpt2();
    engine::RunRequest request = gpt.request(
        "Natural language processing tasks, such as question answering, machine translation, reading "
        "comprehension, and summarization, are typically approached with supervised learning on taskspecific "
        "datasets.");
    engine::Engine engine;
    CHECK(test::value(engine.run(request)).loss.value() == Approx(3.999).margin(kLogitMargin));
    request.ablations[{0, 8}] = {};
    CHECK(test::value(engine.run(request)).loss.value() == Approx(5.455).margin(kLogitMargin));
}
