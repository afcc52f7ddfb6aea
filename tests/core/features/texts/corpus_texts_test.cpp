#include "features/texts/corpus_texts.h"

#include "core/features/effects/random_coders.h"
#include "engine/load/weights_tensors.h"
#include "features/graph/held_run_tensors.h"
#include "features/texts/promoted_tokens.h"
#include "support/catch.h"
#include "support/models.h"

#include <algorithm>

using namespace hs;

namespace {

constexpr std::int64_t kPrompts = 40;

std::vector<std::int64_t> promptOf(std::int64_t number, std::int64_t vocabulary)
{
    std::vector<std::int64_t> tokens = {0};
    for (std::int64_t position = 0; position < 4 + number % 9; ++position)
        tokens.push_back((number * 31 + position * (7 + number % 5) + 3) % vocabulary);
    return tokens;
}

features::TextsRequest requestFor(const std::filesystem::path& folder, features::Place place)
{
    features::TextsRequest request;
    request.model = test::openModel(folder);
    request.tokenizer = test::value(text::Tokenizer::load(folder));
    const model::ArchSpec& spec = request.model->spec();
    if (spec.gateBias)
        request.gate = engine::ScoreGate{*spec.gateBias};
    request.coders = test::randomCoders(spec, /*crossesLayers=*/true, /*hasSkip=*/false, place, 40);
    request.corpus = {kPrompts, 13, [vocabulary = spec.vocabulary](std::int64_t number) {
                          return promptOf(number, vocabulary);
                      }};
    request.examples = 4;
    request.before = 2;
    request.after = 1;
    return request;
}

std::filesystem::path demo(const std::string& name)
{
    return std::filesystem::path(HS_SOURCE_DIR) / "resources" / "models" / name;
}

}  // namespace

TEST_CASE("a feature's examples are where it fires most, one a prompt, with the tokens around")
{
    const features::TextsRequest request =
        requestFor(demo(GENERATE(as<std::string>(), "demo-dense", "demo-sparse")),
                   GENERATE(features::Place::Middle, features::Place::Normed, features::Place::MlpInput));
    const features::CorpusTexts made = test::value(features::makeTexts(request));

    // The same one prompt at a time, as graphs read features.
    std::map<FeatureId, std::vector<features::FeatureToken>> expected;
    std::map<FeatureId, int> firings;
    std::int64_t tokens = 0;
    for (std::int64_t number = 0; number < kPrompts; ++number) {
        features::GraphRequest one;
        one.run.model = request.model;
        one.run.gate = request.gate;
        one.coders = request.coders;
        one.run.tokens = request.corpus.prompt(number);
        const features::HeldRun run = features::holdRun(one, at::kFloat, {});
        const auto length = static_cast<int>(one.run.tokens.size());
        tokens += length - 1;
        for (int layer = 0; layer < request.coders->facts().layers; ++layer)
            for (int index = 0; index < request.coders->facts().features; ++index) {
                const at::Tensor fires = run.activations[static_cast<std::size_t>(layer)]
                                             .select(1, index)
                                             .slice(0, 1)
                                             .contiguous();
                const auto count = static_cast<int>(fires.count_nonzero().item<std::int64_t>());
                if (count == 0)
                    continue;
                firings[{layer, index}] += count;
                const auto position = static_cast<int>(fires.argmax().item<std::int64_t>()) + 1;
                features::FeatureToken token{
                    request.tokenizer->tokenText(one.run.tokens[static_cast<std::size_t>(position)]),
                    fires.max().item<double>(),
                    {},
                    0};
                const int first = std::max(0, position - 2);
                for (int around = first; around < std::min(length, position + 2); ++around) {
                    if (around > first)
                        token.context += ' ';  // which is between the words of the demo
                    if (around == position)
                        token.begin = token.context.size();
                    token.context +=
                        request.tokenizer->tokenText(one.run.tokens[static_cast<std::size_t>(around)]);
                }
                expected[{layer, index}].push_back(token);
            }
    }
    CHECK(made.tokens == tokens);
    REQUIRE(made.texts.size() == expected.size());
    for (const features::FeatureTexts& texts : made.texts) {
        INFO(toString(texts.feature));
        std::vector<features::FeatureToken>& all = expected.at(texts.feature);
        std::ranges::stable_sort(all, std::ranges::greater(), &features::FeatureToken::value);
        CHECK(*texts.frequency ==
              Approx(static_cast<double>(firings.at(texts.feature)) / static_cast<double>(tokens)));
        REQUIRE_FALSE(texts.firesOn.empty());
        CHECK(texts.firesOn.size() <= 4);
        CHECK(std::ranges::is_sorted(texts.firesOn, std::ranges::greater(), &features::FeatureToken::value));
        CHECK(texts.firesOn.front().value == Approx(all.front().value).epsilon(1e-3));
        for (const features::FeatureToken& token : texts.firesOn) {
            CHECK(token.context.substr(token.begin, token.text.size()) == token.text);
            CHECK(std::ranges::any_of(all, [&](const features::FeatureToken& other) {
                return other.context == token.context && other.begin == token.begin &&
                       other.value == Approx(token.value).epsilon(1e-3);
            }));
        }
    }
}

TEST_CASE("texts do not depend on how a corpus is cut into batches")
{
    features::TextsRequest request = requestFor(demo("demo-dense"), features::Place::MlpInput);
    const features::CorpusTexts together = test::value(features::makeTexts(request));
    request.corpus.length = 60;  // fewer prompts fit side by side
    const features::CorpusTexts apart = test::value(features::makeTexts(request));
    REQUIRE(apart.texts.size() == together.texts.size());
    for (std::size_t index = 0; index < apart.texts.size(); ++index) {
        CHECK(apart.texts[index].feature == together.texts[index].feature);
        CHECK(*apart.texts[index].frequency == Approx(*together.texts[index].frequency).margin(0.01));
        CHECK(apart.texts[index].firesOn.front().value ==
              Approx(together.texts[index].firesOn.front().value).epsilon(1e-3));
    }
}

TEST_CASE("promoted tokens are those whose logits a feature's decoders raise most")
{
    const bool crossesLayers = GENERATE(true, false);
    const auto model = test::openGolden(GENERATE(as<std::string>(), "gpt2", "llama-grouped", "gemma2"));
    const model::ArchSpec& spec = model->spec();
    const auto coders = test::randomCoders(spec, crossesLayers, false, features::Place::MlpInput);
    const std::vector<FeatureId> features = {{0, 3}, {0, 5}, {1, 0}};
    const auto promoted = features::promotedTokens(*model, *coders, features, 4);
    REQUIRE(promoted.size() == features.size());
    for (std::size_t index = 0; index < features.size(); ++index) {
        const auto& [most, least] = promoted[index];
        REQUIRE(most.size() == 4);
        at::Tensor written = at::zeros({spec.hidden}, at::kDouble);
        const std::int64_t row[] = {features[index].index};
        for (int target = features[index].layer;
             target < (crossesLayers ? spec.layers : features[index].layer + 1); ++target)
            written = written + coders->weights().decoders->rows(features[index].layer, target, row)[0];
        if (spec.norm == model::NormKind::LayerNorm)
            written = written - written.mean();
        const engine::ModelWeights& weights = model->weights();
        const auto here = [](const at::Tensor& tensor) { return tensor.to(at::kCPU, at::kDouble); };
        const at::Tensor logits = at::mv(here(weights[model::Role::Unembedding]),
                                         written * here(weights[model::Role::FinalNormWeight]));
        CHECK(most.front().token == logits.argmax().item<std::int64_t>());
        CHECK(most.front().weight == Approx(logits.max().item<double>()).epsilon(1e-3));
        CHECK(least.front().token == logits.argmin().item<std::int64_t>());
        CHECK(most[0].weight >= most[3].weight);
    }
    const std::vector<FeatureId> missing = {{7, 0}};
    const auto refused = guarded([&] { return features::promotedTokens(*model, *coders, missing, 4); });
    REQUIRE_FALSE(refused);
}
