#include "features/effects/scaled_features_tensors.h"

#include "base/failure.h"

#include <map>

namespace hs::features {
namespace {

void checkScale(const FeatureScale& scale, const CoderFacts& facts, std::int64_t length)
{
    const auto& [feature, position, factor] = scale;
    if (feature.layer < 0 || feature.layer >= facts.layers || feature.index < 0 ||
        feature.index >= facts.features)
        fail(ErrorCode::BadRequest, "There is no feature " + toString(feature) + " in " + facts.name +
                                        ", which has " + std::to_string(facts.features) + " in each of " +
                                        std::to_string(facts.layers) + " layers; choose another.");
    if (position && (*position < 0 || *position >= length))
        fail(ErrorCode::BadRequest, "There is no position " + std::to_string(*position) + " to scale " +
                                        toString(feature) + " at in this prompt of " +
                                        std::to_string(length) + " tokens; choose one from 0 to " +
                                        std::to_string(length - 1) + ".");
}

/// What each feature's activations are multiplied by; of several scales at a position the last one counts. [query]
std::map<FeatureId, at::Tensor> factorsOf(const HeldRun& run, const std::vector<FeatureScale>& scales)
{
    std::map<FeatureId, at::Tensor> factors;
    for (const FeatureScale& scale : scales) {
        checkScale(scale, run.coders->facts(), run.length());
        at::Tensor& factor = factors.try_emplace(scale.feature, at::ones({run.length()})).first->second;
        (scale.position ? factor[*scale.position] : factor).fill_(scale.factor);
    }
    return factors;
}

}  // namespace

ScaledOutputs scaledOutputs(const HeldRun& run, const std::vector<FeatureScale>& scales)
{
    const CoderFacts& facts = run.coders->facts();
    ScaledOutputs outputs{std::vector<at::Tensor>(static_cast<std::size_t>(facts.layers)), 0};
    for (const auto& [feature, factors] : factorsOf(run, scales)) {
        const at::Tensor change =
            run.activations[static_cast<std::size_t>(feature.layer)].select(1, feature.index) * (factors - 1);
        const auto places = static_cast<int>(change.count_nonzero().item<std::int64_t>());
        outputs.places += places;
        if (places == 0)
            continue;
        const std::int64_t index[] = {feature.index};
        const int last = facts.crossesLayers ? facts.layers - 1 : feature.layer;
        for (int target = feature.layer; target <= last; ++target) {
            const at::Tensor added =
                change.unsqueeze(1) *
                run.coders->weights().decoders->rows(feature.layer, target, index);  // [query, width]
            at::Tensor& sum = outputs.layers[static_cast<std::size_t>(target)];
            sum = sum.defined() ? sum + added : added;
        }
    }
    return outputs;
}

engine::SharedWrites writesOf(const ScaledOutputs& outputs)
{
    auto writes = std::make_shared<engine::StreamWrites>();
    for (std::size_t layer = 0; layer < outputs.layers.size(); ++layer) {
        if (!outputs.layers[layer].defined())
            continue;
        const at::Tensor rows = outputs.layers[layer].contiguous();
        for (std::int64_t position = 0; position < rows.size(0); ++position) {
            const float* const row = rows[position].data_ptr<float>();
            if (rows[position].count_nonzero().item<std::int64_t>() > 0)
                writes->rows[{static_cast<int>(layer), static_cast<int>(position)}].assign(
                    row, row + rows.size(1));
        }
    }
    return writes->rows.empty() ? nullptr : writes;
}

Result<engine::SharedWrites> scaledWrites(const engine::RunRequest& run,
                                          const std::shared_ptr<const Transcoders>& coders,
                                          const std::vector<FeatureScale>& scales, const Hooks& hooks)
{
    return guarded([&] {
        const c10::InferenceMode noGradients;
        GraphRequest plain;
        plain.run = run;
        plain.run.writes.reset();
        plain.coders = coders;
        return writesOf(scaledOutputs(holdRun(plain, at::kFloat, hooks), scales));
    });
}

}  // namespace hs::features
