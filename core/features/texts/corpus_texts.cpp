#include "features/texts/corpus_texts.h"

#include "base/failure.h"
#include "features/graph/place_choice.h"
#include "features/texts/corpus_pass_tensors.h"
#include "features/texts/promoted_tokens.h"

#include <algorithm>
#include <set>

namespace hs::features {
namespace {

constexpr std::int64_t kMostCorpusRows = 1024;                    // run side by side
constexpr std::int64_t kMostActivations = std::int64_t{1} << 24;  // that exist at a time
constexpr std::int64_t kSpareExamples = 2;                        // prompts may repeat one another
constexpr std::int64_t kTriedPrompts = 16;                        // to find out where encoders read

void checkTextsRequest(const TextsRequest& request)
{
    if (!request.model || !request.coders || !request.tokenizer)
        fail(ErrorCode::BadRequest,
             "Texts of features take a model with its tokenizer and transcoders; give all.");
    const CoderFacts& facts = request.coders->facts();
    const model::ArchSpec& spec = request.model->spec();
    if (facts.layers != spec.layers || facts.width != spec.hidden)
        fail(ErrorCode::BadRequest, facts.name + " is of another model; give the transcoders of this one.");
    if (request.model->facts().placement.isSplit())
        fail(ErrorCode::Unsupported, "Texts of features are made on one device; give one with --device.");
    if (request.corpus.prompts < 1 || request.corpus.length < 2)
        fail(ErrorCode::BadRequest, "There is nothing to read; give a longer text.");
    if (request.corpus.length > spec.context)
        fail(ErrorCode::BadRequest,
             "The model reads " + std::to_string(spec.context) + " tokens at a time; read fewer at once.");
}

/// The transcoders, which know where they read: tried on some prompts if their files do not say it.
std::shared_ptr<const Transcoders> readingCoders(const TextsRequest& request, const Hooks& hooks)
{
    if (request.coders->facts().place)
        return request.coders;
    std::vector<engine::RunRequest> passages;
    for (std::int64_t prompt = 0; prompt < std::min(request.corpus.prompts, kTriedPrompts); ++prompt) {
        engine::RunRequest& passage = passages.emplace_back();
        passage.model = request.model;
        passage.tokens = request.corpus.prompt(prompt);
        passage.gate = request.gate;
    }
    PlaceChoice choice = orThrow(choosePlace(request.coders, passages, {{}, hooks.stop}));
    if (!choice.isGood)
        fail(ErrorCode::Unsupported, choice.sentence);
    return choice.coders;
}

CorpusBatch batchOf(const Corpus& corpus, std::int64_t first, std::int64_t count)
{
    std::vector<std::vector<std::int64_t>> prompts;
    std::size_t longest = 0;
    for (std::int64_t number = first; number < first + count; ++number) {
        prompts.push_back(corpus.prompt(number));
        if (prompts.back().size() > static_cast<std::size_t>(corpus.length))
            fail(ErrorCode::Internal, "A prompt is longer than its corpus said; report this.");
        longest = std::max(longest, prompts.back().size());
    }
    CorpusBatch batch{first, at::zeros({count, static_cast<std::int64_t>(longest)}, at::kLong), {}};
    batch.counts = at::zeros(batch.tokens.sizes(), at::kBool);
    for (std::size_t row = 0; row < prompts.size(); ++row) {
        std::ranges::copy(prompts[row], batch.tokens.data_ptr<std::int64_t>() + row * longest);
        if (!prompts[row].empty())
            std::fill_n(batch.counts.data_ptr<bool>() + row * longest + 1, prompts[row].size() - 1, true);
    }
    return batch;
}

/// The token at a place of the corpus, with the text around it.
FeatureToken exampleAt(const TextsRequest& request, std::int64_t place, double activation)
{
    const std::vector<std::int64_t> prompt = request.corpus.prompt(place / request.corpus.length);
    const auto position = static_cast<int>(place % request.corpus.length);
    FeatureToken token{
        request.tokenizer->tokenText(prompt[static_cast<std::size_t>(position)]), activation, {}, 0};
    const int begin = std::max(0, position - request.before);
    const int end = std::min(static_cast<int>(prompt.size()), position + request.after + 1);
    const auto decoded = [&](int last) {
        const auto text = request.tokenizer->decode(std::span(prompt).subspan(
            static_cast<std::size_t>(begin), static_cast<std::size_t>(last - begin)));
        return text ? *text : std::string();
    };
    // Tokens of words have spaces between them; those that are parts of a text, in them.
    const std::string upTo = decoded(position + 1);
    const std::string whole = decoded(end);
    if (upTo.ends_with(token.text) && whole.starts_with(upTo)) {
        token.context = whole;
        token.begin = upTo.size() - token.text.size();
        return token;
    }
    for (int index = begin; index < end; ++index) {
        if (index == position)
            token.begin = token.context.size();
        token.context += request.tokenizer->tokenText(prompt[static_cast<std::size_t>(index)]);
    }
    return token;
}

std::vector<FeatureToken> examplesOf(const TextsRequest& request, const at::Tensor& activations,  // [example]
                                     const at::Tensor& places)
{
    std::vector<FeatureToken> examples;
    std::set<std::string> seen;
    for (std::int64_t index = 0; index < activations.size(0); ++index) {
        const auto activation = activations[index].item<double>();
        if (!(activation > 0) || static_cast<int>(examples.size()) == request.examples)
            break;
        FeatureToken token = exampleAt(request, places[index].item<std::int64_t>(), activation);
        if (seen.insert(token.context).second)
            examples.push_back(std::move(token));
    }
    return examples;
}

void addPromoted(const TextsRequest& request, std::vector<FeatureTexts>& texts)
{
    std::vector<FeatureId> features;
    for (const FeatureTexts& known : texts)
        features.push_back(known.feature);
    const std::vector<engine::PromotedTokens> promoted =
        promotedTokens(*request.model, *request.coders, features, request.promoted);
    const auto named = [&](const std::vector<engine::TokenWeight>& tokens) {
        std::vector<FeatureToken> list;
        for (const auto& [token, weight] : tokens)
            list.push_back({request.tokenizer->tokenText(token), weight, {}, 0});
        return list;
    };
    for (std::size_t index = 0; index < texts.size(); ++index) {
        texts[index].promotes = named(promoted[index].most);
        texts[index].suppresses = named(promoted[index].least);
    }
}

}  // namespace

Result<CorpusTexts> makeTexts(const TextsRequest& asked, const Hooks& hooks)
{
    return guarded([&] {
        checkTextsRequest(asked);
        TextsRequest request = asked;
        request.coders = readingCoders(asked, hooks);
        const c10::InferenceMode noGradients;
        const Corpus& corpus = request.corpus;
        const std::int64_t features = request.coders->facts().features;
        CorpusPass pass(request, *request.coders->facts().place, kSpareExamples * request.examples);
        const std::int64_t rows =
            std::min(kMostCorpusRows, kMostActivations / std::max<std::int64_t>(1, features));
        const std::int64_t atOnce = std::max<std::int64_t>(1, rows / corpus.length);
        CorpusTexts made;
        for (std::int64_t first = 0; first < corpus.prompts; first += atOnce) {
            hooks.throwIfCancelled();
            hooks.report(static_cast<int>(first), static_cast<int>(corpus.prompts));
            const CorpusBatch batch = batchOf(corpus, first, std::min(atOnce, corpus.prompts - first));
            made.tokens += batch.counts.sum().item<std::int64_t>();
            pass.take(batch);
        }
        if (made.tokens == 0)
            fail(ErrorCode::BadRequest, "There is nothing to read; give a longer text.");
        for (int layer = 0; layer < request.coders->facts().layers; ++layer) {
            const FiringPlaces& found = pass.layers()[static_cast<std::size_t>(layer)];
            const at::Tensor firings = found.firings.to(at::kCPU);
            const at::Tensor activations =
                found.activations.to(at::kCPU).t().contiguous();  // [feature, example]
            const at::Tensor places = found.places.to(at::kCPU).t().contiguous();
            for (int index = 0; index < features; ++index) {
                const auto count = firings[index].item<std::int64_t>();
                if (count == 0)
                    continue;
                FeatureTexts& texts = made.texts.emplace_back();
                texts.feature = {layer, index};
                texts.frequency = static_cast<double>(count) / static_cast<double>(made.tokens);
                texts.firesOn = examplesOf(request, activations[index], places[index]);
            }
        }
        addPromoted(request, made.texts);
        hooks.report(static_cast<int>(corpus.prompts), static_cast<int>(corpus.prompts));
        return made;
    });
}

}  // namespace hs::features
