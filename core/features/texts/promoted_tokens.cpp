#include "features/texts/promoted_tokens.h"

#include "base/failure.h"
#include "engine/load/weights_tensors.h"
#include "engine/run/frozen_norm_tensors.h"
#include "engine/run/promoted_tokens_tensors.h"
#include "features/coders/transcoders_tensors.h"

#include <algorithm>
#include <iterator>

namespace hs::features {
namespace {

constexpr std::int64_t kMostPromotedLogits = std::int64_t{1} << 24;  // that exist at a time

/// What features of one layer write in all, as the unembedding reads it. [feature, width]
at::Tensor writtenBy(const engine::Model& model, const Transcoders& coders, int layer,
                     std::span<const std::int64_t> features)
{
    const int last = coders.facts().crossesLayers ? coders.facts().layers - 1 : layer;
    at::Tensor written = coders.weights().decoders->rows(layer, layer, features);
    for (int target = layer + 1; target <= last; ++target)
        written = written + coders.weights().decoders->rows(layer, target, features);
    return engine::unscaledNorm(model.spec(), written, model.weights()[model::Role::FinalNormWeight]);
}

}  // namespace

std::vector<engine::PromotedTokens> promotedTokens(const engine::Model& model, const Transcoders& coders,
                                                   std::span<const FeatureId> features, int count)
{
    const c10::InferenceMode noGradients;
    const CoderFacts& facts = coders.facts();
    const at::Tensor unembedding = model.weights()[model::Role::Unembedding].to(at::kFloat);
    const std::int64_t vocabulary = unembedding.size(0);
    const auto atOnce = static_cast<std::size_t>(std::max<std::int64_t>(1, kMostPromotedLogits / vocabulary));
    std::vector<engine::PromotedTokens> promoted;
    for (std::size_t first = 0; first < features.size();) {
        const int layer = features[first].layer;
        std::vector<std::int64_t> indices;
        for (; first < features.size() && features[first].layer == layer && indices.size() < atOnce;
             ++first) {
            if (layer < 0 || layer >= facts.layers || features[first].index < 0 ||
                features[first].index >= facts.features)
                fail(ErrorCode::BadRequest, "There is no feature " + toString(features[first]) + " in " +
                                                facts.name + ", which has " + std::to_string(facts.features) +
                                                " in each of " + std::to_string(facts.layers) +
                                                " layers; choose another.");
            indices.push_back(features[first].index);
        }
        const at::Tensor logits =
            at::matmul(writtenBy(model, coders, layer, indices).to(unembedding.device()), unembedding.t());
        std::ranges::move(engine::promotedTokens(logits, count), std::back_inserter(promoted));
    }
    return promoted;
}

}  // namespace hs::features
