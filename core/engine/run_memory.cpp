#include "engine/run_memory_tensors.h"

#include "engine/pooled_attention_tensors.h"

#include <algorithm>

namespace hs {
namespace {

/// The first layer in which two sets of ablations differ; `layers` where they are equal.
int firstDifference(const Ablations& a, const Ablations& b, int layers)
{
    int first = layers;
    const auto search = [&first](const Ablations& from, const Ablations& in) {
        for (const auto& [head, ablation] : from) {
            const auto other = in.find(head);
            if (other == in.end() || !(other->second == ablation))
                first = std::min(first, head.layer);
        }
    };
    search(a, b);
    search(b, a);
    return first;
}

}  // namespace

int tileSideOf(const RunRequest& request)
{
    return std::min(static_cast<int>(request.tokens.size()), request.capture.tileSide);
}

int RunMemory::advance(const RunRequest& request, const Decoder& decoder, int layers, const Hooks& hooks)
{
    const int first = adopt(request);
    if (m_residuals.empty())
        m_residuals.push_back(decoder.embed());
    const RepeatedTokens repeats(request.tokens);
    const SummaryRules rules{repeats, static_cast<int>(request.tokens.size()), tileSideOf(request),
                             request.capture.threshold};
    const at::Tensor tokens = decoder.tokens().flatten().to(at::kInt);
    for (int layer = first; layer < layers; ++layer) {
        hooks.throwIfCancelled();
        hooks.report(layer, request.model->spec().layers);
        runLayer(decoder, layer, rules, tokens);
    }
    hooks.throwIfCancelled();
    return first;
}

/// Cuts the memory back to what is also true of `request`.
int RunMemory::adopt(const RunRequest& request)
{
    const Capture& was = m_request.capture;
    const Capture& is = request.capture;
    const bool isSameRun = m_request.model == request.model && m_request.tokens == request.tokens &&
                           m_request.gate == request.gate && was.tileSide == is.tileSide &&
                           was.threshold == is.threshold && was.fullMaps == is.fullMaps &&
                           was.headOutputs == is.headOutputs && was.headCells == is.headCells;
    const int layers = request.model->spec().layers;
    const int valid = isSameRun ? firstDifference(m_request.ablations, request.ablations, layers) : 0;
    const int kept = std::min(valid, static_cast<int>(m_records.size()));
    m_records.resize(kept);
    m_residuals.resize(isSameRun ? std::min<std::size_t>(m_residuals.size(), kept + 1) : 0);
    m_request = request;
    return kept;
}

void RunMemory::runLayer(const Decoder& decoder, int layer, const SummaryRules& rules,
                         const at::Tensor& tokens)
{
    const ArchSpec& spec = m_request.model->spec();
    const at::Tensor residual = m_residuals[layer];
    const at::Tensor packed = decoder.packedProjections(layer, residual);
    LayerAblation ablation(spec, layer, {&m_request.ablations, 1}, {0, rules.length});
    const bool needsPatterns = m_request.capture.fullMaps || keepsCells() || ablation.needsPatterns();
    LayerAttention attention =
        !needsPatterns && canPoolAttention(residual.device())
            ? poolAttention(spec, layer, decoder.turned(packed), tokens, m_request.gate, rules)
            : recordAttention(decoder, layer, packed, rules, ablation);
    ablation.apply(attention.z, attention.values);
    if (m_request.capture.headOutputs)
        attention.record.outputs.z = attention.z;
    // The record last: a layer counts as done once it has one.
    m_residuals.push_back(decoder.finishLayer(layer, residual, attention.z));
    m_records.push_back(std::move(attention.record));
}

/// Attention with the patterns in memory, some heads at a time, for all who look at them.
LayerAttention RunMemory::recordAttention(const Decoder& decoder, int layer, const at::Tensor& packed,
                                          const SummaryRules& rules, LayerAblation& ablation) const
{
    const ArchSpec& spec = m_request.model->spec();
    LayerRecorder recorder(spec.heads, rules, visibleCells(rules.length, spec.windows[layer]),
                           m_request.capture.fullMaps);
    const Projections projections = decoder.unpack(layer, packed);
    HeadOutputs::Layer outputs;
    if (keepsCells()) {
        outputs.values = projections.values.contiguous();
        outputs.weights =
            at::empty({spec.heads, rules.length, rules.length}, outputs.values.options().dtype(at::kFloat));
    }
    const at::Tensor z =
        attend(projections, decoder.hiddenCells(layer), m_request.gate, [&](const PatternChunk& chunk) {
            recorder.take(chunk);
            ablation.take(chunk);
            if (outputs.weights.defined())
                outputs.weights.narrow(0, chunk.firstHead, chunk.weights.size(0)).copy_(chunk.weights);
        });
    LayerRecord record = recorder.finish();
    record.outputs = std::move(outputs);
    return {z, projections.values, std::move(record)};
}

bool RunMemory::keepsCells() const
{
    return m_request.capture.headOutputs && m_request.capture.headCells;
}

}  // namespace hs
