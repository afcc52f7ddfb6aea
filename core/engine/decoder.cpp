#include "engine/decoder_tensors.h"

#include "engine/cpu_activation.h"
#include "engine/device_tensors.h"

#include <algorithm>

namespace hs {
namespace {

at::Tensor activateByTorch(const at::Tensor& x, Activation activation)
{
    switch (activation) {
    case Activation::Relu: return at::relu(x);
    case Activation::Gelu: return at::gelu(x);
    case Activation::GeluTanh: return at::gelu(x, "tanh");
    case Activation::QuickGelu: return x * at::sigmoid(x * 1.702);
    case Activation::Silu: break;
    }
    return at::silu(x);
}

/// The MLP's nonlinearity; `inner` is [query, intermediate], or [query, gate | up] when gated, and is
/// used up.
at::Tensor activate(const at::Tensor& inner, const ArchSpec& spec)
{
    const std::int64_t width = spec.intermediate;
    const at::Tensor gate = inner.narrow(1, 0, width);
    if (!inner.device().is_cpu() || !hasCpuActivation(spec.activation)) {
        const at::Tensor active = activateByTorch(gate, spec.activation);
        return spec.hasGatedMlp ? active * inner.narrow(1, width, width) : active;
    }
    float* const data = inner.data_ptr<float>();
    const std::int64_t stride = inner.stride(0);
    const std::int64_t grain = std::max<std::int64_t>(1, at::internal::GRAIN_SIZE / width);
    at::parallel_for(0, inner.size(0), grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            float* const x = data + row * stride;
            if (spec.hasGatedMlp)
                activateGated(spec.activation, x, x + width, static_cast<std::size_t>(width));
            else
                activate(spec.activation, x, static_cast<std::size_t>(width));
        }
    });
    return gate;
}

/// Cells in which a query may not look: keys after it, and those beyond the window.
at::Tensor makeHidden(std::int64_t length, int window, at::Device device)
{
    const at::Tensor position = at::arange(length, at::TensorOptions(at::kLong).device(device));
    const at::Tensor distance = position.unsqueeze(1) - position.unsqueeze(0);
    at::Tensor hidden = distance.lt(0);
    if (window > 0)
        hidden.logical_or_(distance.ge(window));
    return hidden;
}

}  // namespace

Decoder::Decoder(const Model& model, std::span<const std::int64_t> tokens)
    : m_spec(model.spec()), m_weights(model.weights()),
      m_type(model.facts().device.isCuda() ? torchType(model.facts().dtype) : at::kFloat)
{
    const at::Device device = torchDevice(model.facts().device);
    const auto length = static_cast<std::int64_t>(tokens.size());
    m_tokens = at::empty({length}, at::kLong);
    std::copy(tokens.begin(), tokens.end(), m_tokens.data_ptr<std::int64_t>());
    m_tokens = m_tokens.to(device);
    for (const int window : m_spec.windows)
        if (!m_hidden.count(window))
            m_hidden[window] = makeHidden(length, window, device);
    if (m_spec.rotaryDims > 0) {
        std::vector<float> frequencies = rotaryFrequencies(m_spec);
        const at::Tensor perPosition =
            at::from_blob(frequencies.data(), {1, static_cast<std::int64_t>(frequencies.size())}, at::kFloat);
        const at::Tensor angles = at::arange(length, at::kFloat).unsqueeze(1) * perPosition;
        m_cos = at::cos(angles).to(device);
        m_sin = at::sin(angles).to(device);
    }
}

at::Tensor Decoder::weight(int layer, Role role) const
{
    const at::Tensor& stored = m_weights.at(layer, role);
    return stored.defined() ? stored.to(m_type) : stored;
}

at::Tensor Decoder::weight(Role role) const
{
    const at::Tensor& stored = m_weights[role];
    return stored.defined() ? stored.to(m_type) : stored;
}

at::Tensor Decoder::embed() const
{
    const at::Tensor embedded = m_weights[Role::Embedding].index_select(0, m_tokens).to(m_type);
    if (!m_spec.hasLearnedPositions)
        return embedded;
    return embedded + m_weights[Role::Positions].narrow(0, 0, m_tokens.size(0)).to(m_type);
}

const at::Tensor& Decoder::hiddenCells(int layer) const
{
    return m_hidden.at(m_spec.windows[layer]);
}

Projections Decoder::project(int layer, const at::Tensor& residual) const
{
    const at::Tensor input =
        m_spec.normAfter ? residual
                         : layerNorm(layer, residual, Role::AttentionNormWeight, Role::AttentionNormBias);
    at::Tensor qkv = at::linear(input, weight(layer, Role::QkvWeight), weight(layer, Role::QkvBias));
    if (m_spec.clipQkv)
        qkv.clamp_(-*m_spec.clipQkv, *m_spec.clipQkv);

    // [query, width] → [head, query, head size], normed where the architecture does so.
    const auto split = [&](std::int64_t begin, int heads, Role normWeight) {
        at::Tensor part = qkv.narrow(1, begin, static_cast<std::int64_t>(heads) * m_spec.headDim);
        const at::Tensor scale = weight(layer, normWeight);
        if (scale.defined() && m_spec.qkNorm == QkNorm::AllHeads)
            part = rmsNorm(part, scale);
        part = part.view({qkv.size(0), heads, m_spec.headDim});
        if (scale.defined() && m_spec.qkNorm == QkNorm::PerHead)
            part = rmsNorm(part, scale);
        return part.transpose(0, 1);
    };
    Projections projections;
    projections.queries = rotate(split(0, m_spec.heads, Role::QueryNormWeight)) * m_spec.scoreScale(layer);
    projections.keys = rotate(split(m_spec.queryWidth(), m_spec.kvHeads, Role::KeyNormWeight));
    projections.values = qkv.narrow(1, m_spec.queryWidth() + m_spec.kvWidth(), m_spec.kvWidth())
                             .view({qkv.size(0), m_spec.kvHeads, m_spec.headDim})
                             .transpose(0, 1);
    return projections;
}

at::Tensor Decoder::attentionOutput(int layer, const at::Tensor& z) const
{
    const at::Tensor sum =
        at::linear(z.flatten(1), weight(layer, Role::OutWeight), weight(layer, Role::OutBias));
    return m_spec.normAfter ? layerNorm(layer, sum, Role::AttentionNormWeight, Role::AttentionNormBias) : sum;
}

at::Tensor Decoder::mlpOutput(int layer, const at::Tensor& residual, const at::Tensor& middle) const
{
    if (m_spec.normAfter)
        return layerNorm(layer, mlp(layer, middle), Role::MlpNormWeight, Role::MlpNormBias);
    const at::Tensor& input = m_spec.hasParallelResidual ? residual : middle;
    return mlp(layer, layerNorm(layer, input, Role::MlpNormWeight, Role::MlpNormBias));
}

at::Tensor Decoder::finishLayer(int layer, const at::Tensor& residual, const at::Tensor& z) const
{
    const at::Tensor middle = residual + attentionOutput(layer, z);
    return middle + mlpOutput(layer, residual, middle);
}

at::Tensor Decoder::logits(const at::Tensor& rows) const
{
    const at::Tensor normed = norm(rows, weight(Role::FinalNormWeight), weight(Role::FinalNormBias));
    const at::Tensor& unembedding = m_weights[Role::Unembedding];
    if (unembedding.scalar_type() == m_type)
        return at::linear(normed, unembedding).to(at::kFloat);
    // Widened as a whole it would be the largest tensor of all: a block of the vocabulary at a time.
    static constexpr std::int64_t kBlock = 8192;
    std::vector<at::Tensor> blocks;
    for (const at::Tensor& block : unembedding.split(kBlock))
        blocks.push_back(at::linear(normed, block.to(m_type)));
    return at::cat(blocks, 1).to(at::kFloat);
}

at::Tensor Decoder::messageNorms(int layer, const Projections& projections) const
{
    const std::int64_t perGroup = m_spec.heads / m_spec.kvHeads;
    const at::Tensor out = weight(layer, Role::OutWeight);  // [hidden, head * head size]
    std::vector<at::Tensor> norms;
    for (int head = 0; head < m_spec.heads; ++head) {
        const at::Tensor values = projections.values[head / perGroup].to(at::kFloat);
        const at::Tensor columns =
            out.narrow(1, static_cast<std::int64_t>(head) * m_spec.headDim, m_spec.headDim);
        norms.push_back(at::linear(values, columns.to(at::kFloat)).norm(2, -1));
    }
    return at::stack(norms);
}

at::Tensor Decoder::norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& bias) const
{
    if (m_spec.norm == NormKind::RmsNorm)
        return rmsNorm(x, scale);
    return at::layer_norm(x, {x.size(-1)}, scale, bias, m_spec.normEps);
}

at::Tensor Decoder::rmsNorm(const at::Tensor& x, const at::Tensor& scale) const
{
    const at::Tensor wide = x.to(at::kFloat);
    const at::Tensor inverse = wide.square().mean(-1, /*keepdim=*/true).add_(m_spec.normEps).rsqrt_();
    return (wide * inverse).to(x.scalar_type()) * scale;
}

at::Tensor Decoder::layerNorm(int layer, const at::Tensor& x, Role weightRole, Role biasRole) const
{
    return norm(x, weight(layer, weightRole), weight(layer, biasRole));
}

at::Tensor Decoder::rotate(const at::Tensor& heads) const
{
    if (m_spec.rotaryDims == 0)
        return heads;
    const std::int64_t half = m_spec.rotaryDims / 2;
    const at::Tensor first = heads.narrow(-1, 0, half).to(at::kFloat);
    const at::Tensor second = heads.narrow(-1, half, half).to(at::kFloat);
    const at::Tensor still = heads.narrow(-1, 2 * half, heads.size(-1) - 2 * half);
    const at::Tensor turnedFirst = first * m_cos - second * m_sin;
    const at::Tensor turnedSecond = second * m_cos + first * m_sin;
    return at::cat({turnedFirst.to(heads.scalar_type()), turnedSecond.to(heads.scalar_type()), still}, -1);
}

at::Tensor Decoder::mlp(int layer, const at::Tensor& x) const
{
    const at::Tensor inner = at::linear(x, weight(layer, Role::UpWeight), weight(layer, Role::UpBias));
    return at::linear(activate(inner, m_spec), weight(layer, Role::DownWeight),
                      weight(layer, Role::DownBias));
}

}  // namespace hs
