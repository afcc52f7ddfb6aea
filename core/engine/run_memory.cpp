#include "engine/run_memory_tensors.h"

#include "engine/layer_ablation_tensors.h"

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
    for (int layer = first; layer < layers; ++layer) {
        hooks.throwIfCancelled();
        hooks.report(layer, request.model->spec().layers);
        runLayer(decoder, layer, rules);
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

void RunMemory::runLayer(const Decoder& decoder, int layer, const SummaryRules& rules)
{
    const ArchSpec& spec = m_request.model->spec();
    const Capture& capture = m_request.capture;
    LayerRecorder recorder(spec.heads, rules, visibleCells(rules.length, spec.windows[layer]),
                           capture.fullMaps);
    const Projections projections = decoder.project(layer, m_residuals[layer]);
    LayerAblation ablation(spec, layer, {&m_request.ablations, 1}, {0, rules.length});
    HeadOutputs::Layer outputs;
    if (capture.headOutputs && capture.headCells) {
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
    ablation.apply(z, projections.values);
    LayerRecord record = recorder.finish();
    if (capture.headOutputs) {
        outputs.z = z;
        record.outputs = std::move(outputs);
    }
    // The record last: a layer counts as done once it has one.
    m_residuals.push_back(decoder.finishLayer(layer, m_residuals[layer], z));
    m_records.push_back(std::move(record));
}

}  // namespace hs
