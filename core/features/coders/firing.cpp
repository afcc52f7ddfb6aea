#include "features/coders/transcoders_tensors.h"

#include <algorithm>

namespace hs::features {

namespace {

at::Tensor fired(const CoderFacts& facts, const CoderLayer& layer, const at::Tensor& preactivations)
{
    switch (facts.firing) {
    case Firing::Relu: return at::relu(preactivations);
    case Firing::JumpRelu: return at::where(preactivations > layer.threshold, preactivations, at::zeros({}));
    case Firing::TopK:
    case Firing::ReluTopK: break;
    }
    const at::Tensor candidates =
        facts.firing == Firing::ReluTopK ? at::relu(preactivations) : preactivations;
    const std::int64_t count = std::min<std::int64_t>(facts.k, candidates.size(-1));
    const auto [values, indices] = candidates.topk(count, -1);
    return at::zeros_like(candidates).scatter(-1, indices, values);
}

}  // namespace

at::Tensor fire(const CoderFacts& facts, const CoderLayer& layer, const at::Tensor& preactivations)
{
    at::Tensor activations = fired(facts, layer, preactivations);
    if (layer.shift.defined())
        activations = at::where(activations > 0, activations + layer.shift, activations);
    return layer.gain.defined() ? activations * layer.gain : activations;
}

}  // namespace hs::features
