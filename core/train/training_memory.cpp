#include "train/training_memory.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "model/weight_plan.h"

namespace hs::train {
namespace {

std::uint64_t vectorBytes(const model::ArchSpec& spec, bool distils)
{
    // Weights, gradient, AdamW's two, the average and a temporary for the update.
    const std::uint64_t vectors = 6 + (distils ? 1 : 0);
    return vectors * static_cast<std::uint64_t>(model::parameterCount(spec)) * sizeof(float);
}

std::uint64_t numbersOfToken(const model::ArchSpec& spec, bool distils)
{
    const std::uint64_t projections = 2 * static_cast<std::uint64_t>(spec.queryWidth() + spec.kvWidth());
    const std::uint64_t mlp = (spec.hasGatedMlp ? 3 : 2) * static_cast<std::uint64_t>(spec.intermediate);
    const std::uint64_t layer = 4 * static_cast<std::uint64_t>(spec.hidden) + projections + mlp;
    const std::uint64_t logits = (distils ? 3 : 2) * static_cast<std::uint64_t>(spec.vocabulary);
    return static_cast<std::uint64_t>(spec.layers) * layer + logits;
}

}  // namespace

std::uint64_t leastTrainingMemory(const model::ArchSpec& spec, const TrainingSize& size)
{
    return vectorBytes(spec, size.distils) + static_cast<std::uint64_t>(size.tokens) *
                                                 numbersOfToken(spec, size.distils) *
                                                 model::byteSize(size.computedIn);
}

void requireTrainingMemory(const model::ArchSpec& spec, const TrainingSize& size, engine::Device device)
{
    const std::optional<std::uint64_t> available = engine::availableMemory(device);
    const std::uint64_t needed = leastTrainingMemory(spec, size);
    if (!available || needed <= *available)
        return;
    const bool isTooManyRows = vectorBytes(spec, size.distils) <= *available / 2;
    fail(ErrorCode::TooLarge,
         "This training needs at least " + formatBytes(needed) + " on " + toString(device) + ", where " +
             formatBytes(*available) + " are free; " +
             (isTooManyRows ? "lower --rows or --length." : "take a smaller model or another --device."));
}

void requireOneDevice(const engine::Model& model)
{
    if (model.facts().placement.isSplit())
        fail(ErrorCode::BadRequest, model.facts().name + " is spread over " +
                                        toString(model.facts().placement) +
                                        ", but a training needs it on one device; name one --device.");
}

}  // namespace hs::train
