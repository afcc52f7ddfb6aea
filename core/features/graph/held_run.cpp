#include "features/graph/held_run_tensors.h"

#include "base/system_memory.h"
#include "base/text_format.h"
#include "engine/device/device_tensors.h"
#include "engine/run/decoder_tensors.h"
#include "engine/run/layer_ablation_tensors.h"
#include "engine/run/request_check.h"
#include "engine/run/run_room.h"
#include "features/graph/coding_tensors.h"
#include "features/graph/place_choice.h"

namespace hs::features {
namespace {

using model::Role;

/// What a norm does to rows, its scale held at theirs.
HeldNorm heldAt(const HeldRun& run, const at::Tensor& rows, const at::Tensor& weight, const at::Tensor& bias)
{
    const model::ArchSpec& spec = run.spec();
    const bool centres = spec.norm == model::NormKind::LayerNorm;
    at::Tensor x = rows.to(at::kDouble);
    if (centres)
        x = x - x.mean(-1, /*keepdim=*/true);
    at::Tensor factor = (x.square().mean(-1, /*keepdim=*/true) + spec.normEps).rsqrt();
    if (weight.defined())
        factor = factor * weight.to(at::kDouble);
    return {run.here(factor), run.here(bias), centres};
}

/// Runs the model layer by layer and keeps what a HeldRun is made of.
class Holder {
public:
    Holder(const GraphRequest& request, at::ScalarType type, const Hooks& hooks)
        : m_request(request), m_hooks(hooks), m_weights(request.run)
    {
        const engine::Placement& placement = request.run.model->facts().placement;
        m_run.model = request.run.model;
        m_run.adapters = request.run.adapters;
        m_run.coders = request.coders;
        m_run.device = placement.isSplit() ? at::Device(at::kCPU) : engine::torchDevice(placement.first());
        m_run.type = type;
        m_run.tokens = request.run.tokens;
    }

    HeldRun hold()
    {
        const model::ArchSpec& spec = m_run.spec();
        const engine::Decoder decoder = wideDecoder();
        at::Tensor residual = decoder.embed();
        m_run.embedding = m_run.here(residual);
        if (spec.hasLearnedPositions) {
            m_run.positions = m_run.here(
                m_weights[Role::Positions].narrow(0, spec.positionOffset, m_run.length()).to(at::kFloat));
            m_run.embedding = m_run.embedding - m_run.positions;
        }
        MlpRecord mlps;
        for (int layer = 0; layer < spec.layers; ++layer) {
            m_hooks.throwIfCancelled();
            HeldLayer& held = m_run.layers.emplace_back();
            held.stream = m_run.here(residual);
            const at::Tensor z = attention(decoder, layer, residual, held);
            const at::Tensor middle = residual + decoder.attentionOutput(layer, z);
            const at::Tensor output = decoder.mlpOutput(layer, residual, middle);
            const at::Tensor& read = spec.hasParallelResidual ? residual : middle;
            mlps.norms.push_back(spec.normBefore ? normAt(layer, read, Role::MlpNormWeight, Role::MlpNormBias)
                                                 : HeldNorm{});
            mlps.scales.push_back(spec.normBefore ? heldAt(m_run, read, {}, {}) : HeldNorm{});
            mlps.streams.push_back(m_run.here(read));
            mlps.outputs.push_back(m_run.here(output));
            residual = middle + output;
            if (layer + 1 < spec.layers)
                residual = residual.to(m_weights.at(layer + 1, Role::OutWeight).device());
        }
        m_run.finalNorm =
            heldAt(m_run, residual, m_weights[Role::FinalNormWeight], m_weights[Role::FinalNormBias]);
        m_run.logits = decoder.uncappedLogits(residual).to(at::kCPU, at::kFloat);
        readCoders(m_run, mlps);
        return std::move(m_run);
    }

private:
    /// The model in float32 even where its weights are narrower: what is left out of a graph for rounding would
    /// be larger than many of its edges.
    engine::Decoder wideDecoder() const
    {
        const std::vector<std::int64_t>& tokens = m_request.run.tokens;
        if (m_run.model->facts().placement.isSplit())
            return {m_request.run, tokens};
        const auto length = static_cast<std::int64_t>(tokens.size());
        at::Tensor row = at::empty({1, length}, at::kLong);
        std::copy(tokens.begin(), tokens.end(), row.data_ptr<std::int64_t>());
        return {m_run.spec(), m_weights, at::kFloat, row.to(m_run.device),
                engine::DecoderFrame(m_run.spec(), length, m_run.device)};
    }

    HeldNorm normAt(int layer, const at::Tensor& rows, Role weight, Role bias) const
    {
        return heldAt(m_run, rows, m_weights.at(layer, weight), m_weights.at(layer, bias));
    }

    /// The heads' outputs; fills what the layer's attention is held by.
    at::Tensor attention(const engine::Decoder& decoder, int layer, const at::Tensor& residual,
                         HeldLayer& held) const
    {
        const model::ArchSpec& spec = m_run.spec();
        const engine::Ablations& ablations = m_request.run.ablations;
        const engine::Projections projections = decoder.project(layer, residual);
        engine::LayerAblation ablation(spec, layer, {&ablations, 1}, {0, residual.size(0)});
        held.patterns = at::empty({spec.heads, residual.size(0), residual.size(0)},
                                  at::TensorOptions(m_run.device).dtype(m_run.type));
        const at::Tensor z = engine::attend(
            projections, decoder.hiddenCells(layer), m_request.run.gate, [&](engine::PatternChunk& chunk) {
                ablation.take(chunk);
                held.patterns.narrow(0, chunk.firstHead, chunk.weights.size(0)).copy_(chunk.weights);
            });
        ablation.apply(z, projections.values);
        for (const auto& [head, how] : ablations)
            if (head.layer == layer && !how.changesCells())
                held.patterns[head.head].zero_();

        if (spec.normBefore)
            held.attentionNorm = normAt(layer, residual, Role::AttentionNormWeight, Role::AttentionNormBias);
        held.valueWeight = m_run.here(m_weights.at(layer, Role::QkvWeight)
                                          .narrow(0, spec.queryWidth() + spec.kvWidth(), spec.kvWidth()));
        held.outWeight = m_run.here(m_weights.at(layer, Role::OutWeight));
        const at::Tensor sum = at::linear(
            z.flatten(1).to(at::kFloat), m_weights.at(layer, Role::OutWeight).to(at::kFloat),
            m_weights.at(layer, Role::OutBias).defined() ? m_weights.at(layer, Role::OutBias).to(at::kFloat)
                                                         : at::Tensor());
        if (spec.normAfter)
            held.attentionAfterNorm =
                normAt(layer, sum, Role::AttentionAfterNormWeight, Role::AttentionAfterNormBias);
        holdConstants(layer, projections.values, z, held);
        return z;
    }

    /// What attention adds by biases and by heads that are ablated, whose outputs are numbers of this run.
    void holdConstants(int layer, const at::Tensor& values, const at::Tensor& z, HeldLayer& held) const
    {
        const model::ArchSpec& spec = m_run.spec();
        const std::int64_t length = m_run.length();
        at::Tensor constant = at::zeros({spec.kvWidth()}, held.valueWeight.options());
        if (held.attentionNorm.bias.defined())
            constant = at::mv(held.valueWeight, held.attentionNorm.bias);
        if (const at::Tensor& bias = m_weights.at(layer, Role::QkvBias); bias.defined())
            constant =
                constant + m_run.here(bias.narrow(0, spec.queryWidth() + spec.kvWidth(), spec.kvWidth()));
        constant = constant.expand({length, spec.kvWidth()});
        if (spec.clipQkv) {
            const at::Tensor clipped = m_run.here(values.transpose(0, 1).reshape({length, spec.kvWidth()}));
            held.valueMask = (clipped.abs() < static_cast<float>(*spec.clipQkv)).to(m_run.type);
            constant = constant * held.valueMask + clipped * (1 - held.valueMask);
        }
        const std::int64_t perGroup = spec.heads / spec.kvHeads;
        const at::Tensor grouped = constant.reshape({length, spec.kvHeads, spec.headDim})
                                       .transpose(0, 1)
                                       .repeat_interleave(perGroup, 0);  // [head, query, head size]
        at::Tensor written = at::bmm(held.patterns, grouped).transpose(0, 1).contiguous();
        for (const auto& [head, how] : m_request.run.ablations)
            if (head.layer == layer && !how.changesCells())
                written.select(1, head.head).copy_(z.select(1, head.head));
        at::Tensor sum = at::matmul(written.flatten(1), held.outWeight.t());
        if (const at::Tensor& bias = m_weights.at(layer, Role::OutBias); bias.defined())
            sum = sum + m_run.here(bias);
        sum = held.attentionAfterNorm.carry(sum);
        held.attentionConstant =
            held.attentionAfterNorm.bias.defined() ? sum + held.attentionAfterNorm.bias : sum;
    }

    const GraphRequest& m_request;
    const Hooks& m_hooks;
    engine::AdaptedWeights m_weights;
    HeldRun m_run;
};

/// Patterns of all layers are held at once.
void requireRoomForPatterns(const engine::RunRequest& run, std::size_t bytesPerNumber)
{
    const auto length = static_cast<std::uint64_t>(run.tokens.size());
    const auto heads = static_cast<std::uint64_t>(run.model->spec().headShape().total());
    const std::uint64_t needed = heads * length * length * bytesPerNumber;
    if (const std::optional<std::uint64_t> free = availableMemory(); free && needed > *free)
        fail(ErrorCode::TooLarge, "The patterns of all heads over " + formatCount(run.tokens.size()) +
                                      " tokens take " + formatBytes(needed) +
                                      ", more than there is; shorten the prompt.");
}

}  // namespace

HeldRun holdRun(const GraphRequest& request, at::ScalarType type, const Hooks& hooks)
{
    engine::checkRequest(request.run);
    for (const auto& [head, how] : request.run.ablations)
        if (head.isMlp())
            fail(ErrorCode::BadRequest, toString(head) +
                                            " is ablated, but a graph takes apart what MLPs write; "
                                            "restore it first.");
        else if (how.changesCells() && how.patchesCells())
            fail(ErrorCode::BadRequest, "Cells of " + toString(head) +
                                            " come from the corrupted prompt, which a graph cannot hold; "
                                            "restore them first.");
    engine::requireRoom(request.run);
    checkCoders(request.coders.get(), request.run.model->spec());
    requireRoomForPatterns(request.run, at::elementSize(type));
    GraphRequest placed = request;
    if (!placed.coders->facts().place)
        placed.coders = orThrow(choosePlace(placed.coders, {placed.run}, hooks)).coders;
    return Holder(placed, type, hooks).hold();
}

}  // namespace hs::features
