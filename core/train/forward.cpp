#include "train/forward_tensors.h"

#include "engine/device/device_tensors.h"
#include "train/plain_ops_tensors.h"
#include "train/recomputed_tensors.h"

#include <algorithm>
#include <memory>
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

/// A decoder with the weights it reads.
struct OwnDecoder {
    engine::ModelWeights weights;
    engine::Decoder decoder;

    OwnDecoder(engine::ModelWeights own, const model::ArchSpec& spec, const at::Tensor& tokens,
               const engine::DecoderFrame& frame, const engine::DecoderOps& ops)
        : weights(std::move(own)),
          decoder(spec, weights, weights[model::Role::Embedding].scalar_type(), tokens, frame, ops)
    {
    }
    OwnDecoder(const OwnDecoder&) = delete;
    OwnDecoder& operator=(const OwnDecoder&) = delete;
};

/// All that a forward pass depends on, for layers that run once more in the backward pass.
struct Pass {
    const model::ArchSpec& spec;
    RunWeights weights;
    BatchTensors batch;
    engine::DecoderFrame frame;
    std::optional<TrainingGate> gate;
    Operations operations;
    MlpHook mlp;  // none: MLPs add what they compute

    OwnDecoder decoderFor(std::vector<engine::ModelWeights::Table> layers) const
    {
        return OwnDecoder({weights.shared(), std::move(layers)}, spec, batch.tokens, frame,
                          decoderOps(operations));
    }

    /// The residual stream after a layer; with a gate, also the expected and the open cells.
    std::vector<at::Tensor> runLayer(int layer, const Pieces& pieces, const at::Tensor& residual) const
    {
        std::vector<engine::ModelWeights::Table> layers(spec.layers);
        layers[layer] = weights.layer(layer, pieces);
        const OwnDecoder own = decoderFor(std::move(layers));
        std::optional<TrainingGate> layerGate = gate;
        if (layerGate)
            layerGate->layer = layer;
        const at::Tensor packed = own.decoder.packedProjections(layer, residual);
        const engine::Rotation& rotation = frame.rotationOf(spec, layer);
        const AttentionForm form{spec.heads, spec.kvHeads, spec.headDim, spec.windows[layer],
                                 spec.scoreScale(layer)};
        const bool isFused = operations == Operations::Fused && canFuseAttention(spec);
        const GatedAttention attention =
            isFused ? fusedAttention(packed, batch.lengths, rotation.cos, rotation.sin, form, layerGate)
                    : plainAttention(own.decoder.unpack(layer, packed), batch.lengths,
                                     own.decoder.hiddenCells(layer), layerGate);
        std::vector<at::Tensor> outputs = {mlp ? watched(own.decoder, layer, residual, attention.z)
                                               : own.decoder.finishLayer(layer, residual, attention.z)};
        if (gate)
            outputs.insert(outputs.end(), {attention.expected, attention.active});
        return outputs;
    }

    at::Tensor watched(const engine::Decoder& decoder, int layer, const at::Tensor& residual,
                       const at::Tensor& z) const
    {
        const at::Tensor middle = residual + decoder.attentionOutput(layer, z);
        return middle + mlp(layer, batch, decoder.mlpInput(layer, residual, middle),
                            decoder.mlpOutput(layer, residual, middle));
    }
};

std::vector<at::Tensor> outputsOf(const std::shared_ptr<const Pass>& pass, int layer,
                                  const at::Tensor& residual)
{
    const Pieces& pieces = pass->weights.pieces(layer);
    if (!pass->weights.recomputes() || !c10::GradMode::is_enabled())
        return pass->runLayer(layer, pieces, residual);
    std::vector<at::Tensor> inputs = {residual};
    inputs.insert(inputs.end(), pieces.begin(), pieces.end());
    return recomputed(
        [pass, layer](const std::vector<at::Tensor>& again) {
            return pass->runLayer(layer, Pieces(again.begin() + 1, again.end()), again.front());
        },
        inputs);
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

const engine::DecoderOps& decoderOps(Operations operations)
{
    static const FusedDecoderOps kFused;
    return operations == Operations::Fused ? kFused : engine::DecoderOps::plain();
}

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
    tokens = engine::uploaded(copyOf(batch.tokens).view({batch.rows, batch.length}), device);
    targets = engine::uploaded(following(batch), device);
    lengths = engine::uploaded(lengthTensor, device);
    weights = engine::uploaded(weightTensor, device);
    members = engine::uploaded(memberTensor, device);
    groupWeights = engine::uploaded(sumTensor, device);
    cells = engine::uploaded(at::scalar_tensor(causal, at::kFloat), device);
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

Forward forward(const model::ArchSpec& spec, const RunWeights& weights, const BatchTensors& batch,
                const engine::DecoderFrame& frame, const std::optional<TrainingGate>& gate,
                Operations operations, const MlpHook& mlp)
{
    const auto pass = std::make_shared<const Pass>(Pass{spec, weights, batch, frame, gate, operations, mlp});
    std::vector<at::Tensor> expected;
    std::vector<at::Tensor> active;
    at::Tensor residual = pass->decoderFor({}).decoder.embed();
    for (int layer = 0; layer < spec.layers; ++layer) {
        const std::vector<at::Tensor> outputs = outputsOf(pass, layer, residual);
        residual = outputs[0];
        if (gate) {
            expected.push_back(outputs[1]);
            active.push_back(outputs[2].detach());
        }
    }
    Forward result;
    result.logits = pass->decoderFor({}).decoder.unembed(residual);
    if (gate) {
        result.expected = at::stack(expected);
        result.active = at::stack(active);
    }
    return result;
}

void visitMlps(const model::ArchSpec& spec, const RunWeights& weights, const BatchTensors& batch,
               const engine::DecoderFrame& frame, const std::optional<TrainingGate>& gate,
               Operations operations, const MlpHook& mlp)
{
    const Pass pass{spec, weights, batch, frame, gate, operations, mlp};
    at::Tensor residual = pass.decoderFor({}).decoder.embed();
    for (int layer = 0; layer < spec.layers; ++layer)
        residual = pass.runLayer(layer, weights.pieces(layer), residual).front();
}

TokenLosses tokenLosses(const at::Tensor& logits, const at::Tensor& teacher, const at::Tensor& targets,
                        Operations operations)
{
    return operations == Operations::Fused ? fusedTokenLosses(logits, teacher, targets)
                                           : plainTokenLosses(logits, teacher, targets);
}

}  // namespace hs::train
