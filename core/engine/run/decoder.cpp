#include "engine/run/decoder_tensors.h"

#include "cuda/head_preparation.h"
#include "engine/device/device_tensors.h"
#include "engine/run/row_product_tensors.h"

#include <ATen/Parallel.h>

#include <algorithm>

namespace hs::engine {
namespace {

/// Cells where queries from `first` on may not look: keys after them, and those beyond the window.
at::Tensor makeHidden(std::int64_t first, std::int64_t length, int window, at::Device device)
{
    const auto cells = [&] {
        return at::ones({length, first + length}, at::TensorOptions(at::kBool).device(device));
    };
    at::Tensor hidden = cells().triu_(first + 1);
    if (window > 0)
        hidden.logical_or_(cells().tril_(first - window));
    return hidden;
}

Rotation makeRotation(const model::Rope& rope, std::vector<float> frequencies, const at::Tensor& positions,
                      at::Device device)
{
    const at::Tensor perPosition =
        at::from_blob(frequencies.data(), {1, static_cast<std::int64_t>(frequencies.size())}, at::kFloat);
    const at::Tensor angles = positions.unsqueeze(1) * perPosition;
    return {(at::cos(angles) * rope.amplitude).to(device), (at::sin(angles) * rope.amplitude).to(device)};
}

/// Queries and keys turned by their positions, row by row.
at::Tensor turnedByRow(const model::ArchSpec& spec, const at::Tensor& packed, const Rotation& rotation,
                       std::int64_t length)
{
    const at::Tensor turned = packed.clone();
    cuda::HeadPreparation problem;
    problem.heads = spec.heads;
    problem.kvHeads = spec.kvHeads;
    problem.headDim = spec.headDim;
    problem.rotatedPairs = spec.rotaryDims / 2;
    problem.cos = rotation.cos.data_ptr<float>();
    problem.sin = rotation.sin.data_ptr<float>();
    const std::int64_t width = packed.size(1);
    const std::int64_t grain = std::max<std::int64_t>(1, at::internal::GRAIN_SIZE / width);
    for (std::int64_t first = 0; first < packed.size(0); first += length) {
        problem.qkv = turned.data_ptr<float>() + first * width;
        at::parallel_for(0, length, grain, [&](std::int64_t begin, std::int64_t end) {
            cuda::prepareHeadsTwin(problem, static_cast<int>(begin), static_cast<int>(end));
        });
    }
    return turned;
}

void narrow(Rotation& rotation, std::int64_t first, std::int64_t count)
{
    if (!rotation.cos.defined())
        return;
    rotation.cos = rotation.cos.narrow(0, first, count);
    rotation.sin = rotation.sin.narrow(0, first, count);
}

at::Tensor onePrompt(std::span<const std::int64_t> tokens)
{
    at::Tensor row = at::empty({1, static_cast<std::int64_t>(tokens.size())}, at::kLong);
    std::copy(tokens.begin(), tokens.end(), row.data_ptr<std::int64_t>());
    return row;
}

std::vector<DecoderPart> partsOf(const AdaptedModel& model, std::int64_t first, std::int64_t length)
{
    std::vector<DecoderPart> parts;
    for (const auto& [device, firstLayer] : model.facts().placement.parts)
        parts.push_back({firstLayer, torchDevice(device), computingType(device, model.facts().dtype),
                         DecoderFrame(model.spec(), length, torchDevice(device), first)});
    return parts;
}

}  // namespace

DecoderFrame::DecoderFrame(const model::ArchSpec& spec, std::int64_t length, at::Device device,
                           std::int64_t first, std::optional<std::int64_t> whole)
    : firstPosition(first)
{
    for (const int window : spec.windows)
        if (!hidden.count(window))
            hidden[window] = makeHidden(first, length, window, device);
    if (spec.rotaryDims == 0)
        return;
    const at::Tensor positions = at::arange(first, first + length, at::kFloat);
    const auto rotationBy = [&](const model::Rope& rope) {
        return makeRotation(rope,
                            model::rotaryFrequencies(rope, spec.rotaryDims, whole.value_or(first + length)),
                            positions, device);
    };
    rotation = rotationBy(spec.rope);
    if (spec.localRope)
        localRotation = rotationBy(*spec.localRope);
}

Decoder::Decoder(const AdaptedModel& model, std::span<const std::int64_t> tokens, std::size_t first)
    : Decoder(
          model.spec(), AdaptedWeights(model),
          onePrompt(tokens.subspan(first)).to(torchDevice(model.facts().placement.first())),
          partsOf(model, static_cast<std::int64_t>(first), static_cast<std::int64_t>(tokens.size() - first)),
          DecoderOps::plain())
{
}

Decoder::Decoder(const model::ArchSpec& spec, AdaptedWeights weights, at::ScalarType type, at::Tensor tokens,
                 DecoderFrame frame, const DecoderOps& ops)
    : Decoder(spec, std::move(weights), tokens, {{0, tokens.device(), type, std::move(frame)}}, ops)
{
}

Decoder::Decoder(const model::ArchSpec& spec, AdaptedWeights weights, at::Tensor tokens,
                 std::vector<DecoderPart> parts, const DecoderOps& ops)
    : m_spec(spec), m_weights(std::move(weights)), m_ops(ops), m_tokens(std::move(tokens)),
      m_parts(std::move(parts))
{
}

Decoder Decoder::excerpt(std::int64_t times, std::int64_t first, std::int64_t count) const
{
    std::vector<DecoderPart> parts = m_parts;
    for (DecoderPart& part : parts) {
        DecoderFrame& frame = part.frame;
        frame.firstPosition += first;
        narrow(frame.rotation, first, count);
        narrow(frame.localRotation, first, count);
        for (auto& [window, hidden] : frame.hidden)
            hidden = hidden.narrow(0, first, count).narrow(1, 0, frame.firstPosition + count);
    }
    return Decoder(m_spec, m_weights, m_tokens.narrow(1, first, count).repeat({times, 1}), std::move(parts),
                   m_ops);
}

const DecoderPart& Decoder::partOf(int layer) const
{
    return *std::prev(std::ranges::upper_bound(m_parts, layer, {}, &DecoderPart::firstLayer));
}

at::Tensor Decoder::weight(int layer, model::Role role) const
{
    const at::Tensor stored = m_weights.at(layer, role);
    return stored.defined() ? stored.to(partOf(layer).type) : stored;
}

at::Tensor Decoder::multiplied(int layer, const at::Tensor& x, model::Role weightRole, model::Role biasRole,
                               std::int64_t first) const
{
    const auto fromFirst = [&](const at::Tensor& stored) {
        return stored.defined() && first > 0 ? stored.slice(0, first) : stored;
    };
    const at::Tensor y =
        product(x, fromFirst(m_weights.base(layer, weightRole)), fromFirst(m_weights.base(layer, biasRole)));
    m_weights.addTo(y, x, layer, weightRole, first);
    return y;
}

/// A weight of what comes after the layers.
at::Tensor Decoder::lastWeight(model::Role role) const
{
    const at::Tensor& stored = m_weights[role];
    return stored.defined() ? stored.to(m_parts.back().type) : stored;
}

at::Tensor Decoder::embedTokens() const
{
    const at::Tensor& embedding = m_weights[model::Role::Embedding];
    const at::Tensor embedded = embedding.index_select(0, m_tokens.flatten()).to(m_parts.front().type);
    if (m_spec.embeddingScale == 1)
        return embedded;
    return embedded * at::scalar_tensor(m_spec.embeddingScale, embedding.scalar_type()).item<double>();
}

at::Tensor Decoder::embed() const
{
    const DecoderPart& first = m_parts.front();
    const at::Tensor embedded = embedTokens();
    if (!m_spec.hasLearnedPositions)
        return embedded;
    const at::Tensor positions =
        m_weights[model::Role::Positions]
            .narrow(0, first.frame.firstPosition + m_spec.positionOffset, m_tokens.size(1))
            .to(first.type);
    return (embedded.view({m_tokens.size(0), m_tokens.size(1), m_spec.hidden}) + positions).flatten(0, 1);
}

const at::Tensor& Decoder::hiddenCells(int layer) const
{
    return partOf(layer).frame.hidden.at(m_spec.windows[layer]);
}

at::Tensor Decoder::rawProjections(int layer, const at::Tensor& residual, std::int64_t first) const
{
    const at::Tensor input =
        normedBefore(layer, residual, model::Role::AttentionNormWeight, model::Role::AttentionNormBias);
    const at::Tensor raw = multiplied(layer, input, model::Role::QkvWeight, model::Role::QkvBias, first);
    return m_spec.clipQkv ? raw.clamp(-*m_spec.clipQkv, *m_spec.clipQkv) : raw;
}

at::Tensor Decoder::packedValues(int layer, const at::Tensor& residual) const
{
    return rawProjections(layer, residual, m_spec.queryWidth() + m_spec.kvWidth());
}

at::Tensor Decoder::packedProjections(int layer, const at::Tensor& residual) const
{
    const at::Tensor qkv = rawProjections(layer, residual, 0);
    if (m_spec.qkNorm == model::QkNorm::None)
        return qkv;
    const auto normed = [&](std::int64_t begin, std::int64_t width, model::Role role) {
        at::Tensor part = qkv.narrow(1, begin, width);
        if (m_spec.qkNorm == model::QkNorm::PerHead)
            part = part.view({qkv.size(0), width / m_spec.headDim, m_spec.headDim});
        return m_ops.rmsNorm(part, weight(layer, role), m_spec.normEps).flatten(1);
    };
    const std::int64_t keys = m_spec.queryWidth();
    return at::cat({normed(0, keys, model::Role::QueryNormWeight),
                    normed(keys, m_spec.kvWidth(), model::Role::KeyNormWeight),
                    qkv.narrow(1, keys + m_spec.kvWidth(), m_spec.kvWidth())},
                   1);
}

at::Tensor Decoder::turned(int layer, const at::Tensor& packed) const
{
    if (m_spec.rotaryDims == 0)
        return packed;
    if (const Rotation& rotation = partOf(layer).frame.rotationOf(m_spec, layer);
        hasPlainRows(packed) && hasPlainRows(rotation.cos) && hasPlainRows(rotation.sin))
        return turnedByRow(m_spec, packed, rotation, m_tokens.size(1));
    const std::int64_t width = m_spec.queryWidth() + m_spec.kvWidth();
    const at::Tensor heads =
        packed.narrow(1, 0, width)
            .view({m_tokens.size(0), m_tokens.size(1), m_spec.heads + m_spec.kvHeads, m_spec.headDim});
    const std::int64_t half = m_spec.rotaryDims / 2;
    const at::Tensor first = heads.narrow(-1, 0, half).to(at::kFloat);
    const at::Tensor second = heads.narrow(-1, half, half).to(at::kFloat);
    const at::Tensor still = heads.narrow(-1, 2 * half, m_spec.headDim - 2 * half);
    const Rotation& rotation = partOf(layer).frame.rotationOf(m_spec, layer);
    const at::Tensor cos = rotation.cos.unsqueeze(1);  // [query, 1, rotaryDims / 2]
    const at::Tensor sin = rotation.sin.unsqueeze(1);
    const at::Tensor turnedFirst = (first * cos - second * sin).to(packed.scalar_type());
    const at::Tensor turnedSecond = (second * cos + first * sin).to(packed.scalar_type());
    return at::cat({at::cat({turnedFirst, turnedSecond, still}, -1).view({packed.size(0), width}),
                    packed.narrow(1, width, m_spec.kvWidth())},
                   1);
}

Projections Decoder::unpack(int layer, const at::Tensor& packed) const
{
    const at::Tensor all = turned(layer, packed);
    // [row, width] → [prompt * head, query, head size]
    const auto split = [&](std::int64_t begin, int heads) {
        return all.narrow(1, begin, static_cast<std::int64_t>(heads) * m_spec.headDim)
            .view({m_tokens.size(0), m_tokens.size(1), heads, m_spec.headDim})
            .transpose(1, 2)
            .flatten(0, 1);
    };
    Projections projections;
    projections.queries = split(0, m_spec.heads) * m_spec.scoreScale(layer);
    projections.keys = split(m_spec.queryWidth(), m_spec.kvHeads);
    projections.values = split(m_spec.queryWidth() + m_spec.kvWidth(), m_spec.kvHeads);
    projections.scoreCap = m_spec.scoreCap;
    return projections;
}

at::Tensor Decoder::attentionOutput(int layer, const at::Tensor& z) const
{
    const at::Tensor sum = multiplied(layer, z.flatten(1), model::Role::OutWeight, model::Role::OutBias);
    return normedAfter(layer, sum, model::Role::AttentionAfterNormWeight,
                       model::Role::AttentionAfterNormBias);
}

at::Tensor Decoder::mlpInput(int layer, const at::Tensor& residual, const at::Tensor& middle) const
{
    return normedBefore(layer, m_spec.hasParallelResidual ? residual : middle, model::Role::MlpNormWeight,
                        model::Role::MlpNormBias);
}

at::Tensor Decoder::mlpOutput(int layer, const at::Tensor& residual, const at::Tensor& middle) const
{
    return normedAfter(layer, mlp(layer, mlpInput(layer, residual, middle)), model::Role::MlpAfterNormWeight,
                       model::Role::MlpAfterNormBias);
}

at::Tensor Decoder::finishLayer(int layer, const at::Tensor& residual, const at::Tensor& z,
                                const MlpChange& change) const
{
    const at::Tensor middle = residual + attentionOutput(layer, z);
    const at::Tensor written = mlpOutput(layer, residual, middle);
    if (change)
        change(written);
    const at::Tensor after = middle + written;
    const DecoderPart& next = partOf(layer + 1);
    return next.firstLayer == layer + 1 ? after.to(next.device, next.type) : after;
}

at::Tensor Decoder::unembed(const at::Tensor& rows) const
{
    return capped(uncappedLogits(rows));
}

at::Tensor Decoder::uncappedLogits(const at::Tensor& rows) const
{
    return unembedNormed(
        norm(rows, lastWeight(model::Role::FinalNormWeight), lastWeight(model::Role::FinalNormBias)));
}

at::Tensor Decoder::unembedNormed(const at::Tensor& rows) const
{
    return product(rows, m_weights[model::Role::Unembedding]);
}

at::Tensor Decoder::logitsOf(const at::Tensor& rows, const at::Tensor& tokens) const
{
    const at::Tensor normed =
        norm(rows, lastWeight(model::Role::FinalNormWeight), lastWeight(model::Role::FinalNormBias));
    return capped(product(normed, m_weights[model::Role::Unembedding].index_select(0, tokens)))
        .to(at::kFloat);
}

at::Tensor Decoder::messageNorms(int layer, const Projections& projections) const
{
    const std::int64_t perGroup = m_spec.heads / m_spec.kvHeads;
    const at::Tensor out = weight(layer, model::Role::OutWeight);  // [hidden, head * head size]
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
    if (m_spec.norm == model::NormKind::RmsNorm)
        return m_ops.rmsNorm(x, scale, m_spec.normEps);
    return at::layer_norm(x, {x.size(-1)}, scale, bias, m_spec.normEps);
}

at::Tensor Decoder::layerNorm(int layer, const at::Tensor& x, model::Role weightRole,
                              model::Role biasRole) const
{
    return norm(x, weight(layer, weightRole), weight(layer, biasRole));
}

at::Tensor Decoder::mlp(int layer, const at::Tensor& x) const
{
    const at::Tensor inner = multiplied(layer, x, model::Role::UpWeight, model::Role::UpBias);
    return multiplied(layer, m_ops.activate(inner, m_spec), model::Role::DownWeight, model::Role::DownBias);
}

}  // namespace hs::engine
