#include "train/forward_tensors.h"

#include "train/plain_ops_tensors.h"

#include <algorithm>
#include <numeric>

namespace hs::train {
namespace {

class FusedDecoderOps : public engine::DecoderOps {
public:
    at::Tensor rmsNorm(const at::Tensor& x, const at::Tensor& scale, double eps) const override
    {
        return fusedRmsNorm(x, scale, eps);
    }
    at::Tensor activate(const at::Tensor& inner, const model::ArchSpec& spec) const override
    {
        return spec.hasGatedMlp ? fusedGatedActivation(inner, spec.activation)
                                : engine::DecoderOps::activate(inner, spec);
    }
};

const engine::DecoderOps& opsFor(Operations operations)
{
    static const FusedDecoderOps kFused;
    return operations == Operations::Fused ? kFused : engine::DecoderOps::plain();
}

at::Tensor copyOf(const std::vector<std::int64_t>& values)
{
    at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, at::kLong);
    std::copy(values.begin(), values.end(), tensor.data_ptr<std::int64_t>());
    return tensor;
}

/// At each position the token after it; 0 at the last.
at::Tensor following(const Batch& batch)
{
    std::vector<std::int64_t> next(batch.tokens.begin() + 1, batch.tokens.end());
    next.push_back(0);
    for (int row = 0; row < batch.rows; ++row)
        next[static_cast<std::size_t>(row + 1) * batch.length - 1] = 0;
    return copyOf(next);
}

Batch rowsOf(const Batch& batch, RowRange range)
{
    const auto part = [&](const auto& values, std::ptrdiff_t perRow) {
        const auto begin = values.begin() + range.first * perRow;
        return std::decay_t<decltype(values)>(begin, begin + range.count * perRow);
    };
    return {range.count,
            batch.length,
            part(batch.tokens, batch.length),
            part(batch.lengths, 1),
            part(batch.groups, 1),
            part(batch.weights, batch.length)};
}

}  // namespace

BatchTensors::BatchTensors(const Batch& batch, RowRange share, int groups, at::Device device)
    : BatchTensors(rowsOf(batch, share), groups, device)
{
    const BatchTensors whole(batch, groups, at::kCPU);
    groupWeights = whole.groupWeights.to(device);
    cells = whole.cells.to(device);
}

BatchTensors::BatchTensors(const Batch& batch, int groups, at::Device device)
{
    at::Tensor lengthTensor = at::empty({batch.rows}, at::kInt);
    std::copy(batch.lengths.begin(), batch.lengths.end(), lengthTensor.data_ptr<std::int32_t>());
    at::Tensor weightTensor = at::empty({batch.rows, batch.length}, at::kFloat);
    std::copy(batch.weights.begin(), batch.weights.end(), weightTensor.data_ptr<float>());
    at::Tensor memberTensor = at::zeros({groups, batch.rows}, at::kFloat);
    std::vector<double> sums(groups);
    double causal = 0;
    for (int row = 0; row < batch.rows; ++row) {
        memberTensor.data_ptr<float>()[batch.groups[row] * batch.rows + row] = 1;
        causal += 0.5 * batch.lengths[row] * (batch.lengths[row] + 1.0);
        const auto first = batch.weights.begin() + static_cast<std::ptrdiff_t>(row) * batch.length;
        sums[batch.groups[row]] += std::accumulate(first, first + batch.length, 0.0);
    }
    at::Tensor sumTensor = at::empty({groups}, at::kFloat);
    std::copy(sums.begin(), sums.end(), sumTensor.data_ptr<float>());
    tokens = copyOf(batch.tokens).view({batch.rows, batch.length}).to(device);
    targets = following(batch).to(device);
    lengths = lengthTensor.to(device);
    weights = weightTensor.to(device);
    members = memberTensor.to(device);
    groupWeights = sumTensor.to(device);
    cells = at::scalar_tensor(causal, at::kFloat).to(device);
}

void BatchTensors::copyFrom(const BatchTensors& other)
{
    tokens.copy_(other.tokens);
    lengths.copy_(other.lengths);
    targets.copy_(other.targets);
    weights.copy_(other.weights);
    members.copy_(other.members);
    groupWeights.copy_(other.groupWeights);
    cells.copy_(other.cells);
}

Forward forward(const model::ArchSpec& spec, const engine::ModelWeights& weights, const BatchTensors& batch,
                const engine::DecoderFrame& frame, std::optional<TrainingGate> gate, Operations operations)
{
    const at::ScalarType type = weights[model::Role::Embedding].scalar_type();
    const engine::Decoder decoder(spec, weights, type, batch.tokens, frame, opsFor(operations));
    const bool isFused = operations == Operations::Fused && canFuseAttention(spec);
    Forward result;
    std::vector<at::Tensor> expected;
    std::vector<at::Tensor> active;
    at::Tensor residual = decoder.embed();
    for (int layer = 0; layer < spec.layers; ++layer) {
        if (gate)
            gate->layer = layer;
        const at::Tensor packed = decoder.packedProjections(layer, residual);
        const engine::Rotation& rotation = frame.rotationOf(spec, layer);
        const AttentionForm form{spec.heads, spec.kvHeads, spec.headDim, spec.windows[layer],
                                 spec.scoreScale(layer)};
        const GatedAttention attention =
            isFused ? fusedAttention(packed, batch.lengths, rotation.cos, rotation.sin, form, gate)
                    : plainAttention(decoder.unpack(layer, packed), batch.lengths, decoder.hiddenCells(layer),
                                     gate);
        expected.push_back(attention.expected);
        active.push_back(attention.active);
        residual = decoder.finishLayer(layer, residual, attention.z);
    }
    result.logits = decoder.unembed(residual);
    if (gate) {
        result.expected = at::stack(expected);
        result.active = at::stack(active);
    }
    return result;
}

TokenLosses tokenLosses(const at::Tensor& logits, const at::Tensor& teacher, const at::Tensor& targets,
                        Operations operations)
{
    return operations == Operations::Fused ? fusedTokenLosses(logits, teacher, targets)
                                           : plainTokenLosses(logits, teacher, targets);
}

}  // namespace hs::train
