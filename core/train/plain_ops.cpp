#include "train/plain_ops_tensors.h"

#include "engine/device/device_tensors.h"

#include <limits>

namespace hs::train {
namespace {

/// One copy of each key/value head for every query head that reads it.
at::Tensor perQueryHead(const at::Tensor& grouped, std::int64_t heads)  // [group, key, head size]
{
    return heads == grouped.size(0) ? grouped : grouped.repeat_interleave(heads / grouped.size(0), 0);
}

at::Tensor logisticNoise(const TrainingGate& gate, const at::Tensor& scores)
{
    const std::int64_t seed = gate.noise[0].item<std::int64_t>() * 1009 + gate.layer;
    const at::Generator generator = engine::newGenerator(scores.device(), static_cast<std::uint64_t>(seed));
    // Also those of the prompts before, which other workers have; a GPU draws in another order then.
    const std::int64_t before = gate.noise[1].item<std::int64_t>();
    std::vector<std::int64_t> sizes = scores.sizes().vec();
    sizes[0] += before;
    return at::empty(sizes, scores.options())
        .uniform_(1e-6, 1 - 1e-6, generator)
        .logit_()
        .narrow(0, before, scores.size(0));
}

}  // namespace

GatedAttention plainAttention(const engine::Projections& layer, const at::Tensor& lengths,
                              const at::Tensor& hidden, const std::optional<TrainingGate>& gate)
{
    const std::int64_t prompts = lengths.size(0);
    const std::int64_t heads = layer.queries.size(0) / prompts;
    const std::int64_t length = layer.queries.size(1);
    const at::Tensor keys = perQueryHead(layer.keys, layer.queries.size(0));
    const at::Tensor values = perQueryHead(layer.values, layer.queries.size(0));

    at::Tensor scores =
        at::bmm(layer.queries, keys.transpose(1, 2)).to(at::kFloat).view({prompts, heads, length, length});
    if (layer.scoreCap)
        scores = engine::softCapped(scores, *layer.scoreCap);
    scores = scores.masked_fill(hidden, -std::numeric_limits<float>::infinity());
    const at::Tensor positions = at::arange(length, lengths.options());
    const at::Tensor isReal =
        positions.unsqueeze(0).lt(lengths.unsqueeze(1)).view({prompts, 1, length, 1}).to(at::kFloat);
    at::Tensor weights = at::softmax(scores, -1) * isReal;

    GatedAttention result;
    if (gate) {
        const at::Tensor gates = scores + gate->bias;
        const at::Tensor shifted = gate->isSampled ? gates + logisticNoise(*gate, gates) : gates;
        const at::Tensor soft = at::sigmoid(shifted);
        const at::Tensor open = shifted.gt(0).to(at::kFloat);
        weights = weights * (open + soft - soft.detach());
        result.expected = (at::sigmoid(gates) * isReal).sum({2, 3});
        result.active = (open * isReal).sum({2, 3});
    }
    const at::Tensor z =
        at::bmm(weights.to(values.scalar_type()).view({prompts * heads, length, length}), values);
    result.z = z.view({prompts, heads, length, z.size(2)})
                   .transpose(1, 2)
                   .reshape({prompts * length, heads * z.size(2)});
    return result;
}

TokenLosses plainTokenLosses(const at::Tensor& logits, const at::Tensor& teacher, const at::Tensor& targets)
{
    TokenLosses losses;
    const at::Tensor student = at::log_softmax(logits, -1, at::kFloat);
    losses.crossEntropy = -student.gather(1, targets.unsqueeze(1)).squeeze(1);
    if (teacher.defined()) {
        const at::Tensor wanted = at::log_softmax(teacher, -1, at::kFloat);
        losses.divergence = (wanted.exp() * (wanted - student)).sum(-1);
    }
    return losses;
}

}  // namespace hs::train
