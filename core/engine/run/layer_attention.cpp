#include "engine/run/layer_attention_tensors.h"

#include "engine/run/layer_ablation_tensors.h"
#include "engine/run/pooled_attention_tensors.h"

namespace hs::engine {
namespace {

/// Attention with the patterns in memory, some heads at a time, for those who need them.
LayerAttention recordAttention(const RunRequest& request, const Decoder& decoder, int layer,
                               const at::Tensor& packed, const stats::SummaryRules& rules,
                               LayerAblation& ablation)
{
    const model::ArchSpec& spec = request.model->spec();
    LayerRecorder recorder(spec.heads, rules, spec.windows[layer], request.capture.fullMaps);
    const Projections projections = decoder.unpack(layer, packed);
    HeadOutputs::Layer outputs;
    if (keepsCells(request.capture)) {
        outputs.values = projections.values.contiguous();
        outputs.weights = at::empty({spec.heads, packed.size(0), packed.size(0)},
                                    outputs.values.options().dtype(at::kFloat));
    }
    const at::Tensor z =
        attend(projections, decoder.hiddenCells(layer), request.gate, [&](PatternChunk& chunk) {
            ablation.take(chunk);
            recorder.take(chunk);
            if (outputs.weights.defined())
                outputs.weights.narrow(0, chunk.firstHead, chunk.weights.size(0)).copy_(chunk.weights);
        });
    LayerRecord record = recorder.finish();
    record.outputs = std::move(outputs);
    return {z, projections.values, std::move(record)};
}

}  // namespace

bool keepsCells(const Capture& capture)
{
    return capture.headOutputs && capture.headCells;
}

LayerAttention attendLayer(const RunRequest& request, const Decoder& decoder, int layer,
                           const at::Tensor& packed, const at::Tensor& tokens,
                           const stats::SummaryRules& rules)
{
    const model::ArchSpec& spec = request.model->spec();
    LayerAblation ablation(spec, layer, {&request.ablations, 1}, {0, packed.size(0)});
    const bool seesPatterns =
        request.capture.fullMaps || keepsCells(request.capture) || ablation.patchesCells();
    LayerAttention attention;
    if (seesPatterns || !canPoolAttention(packed.device())) {
        attention = recordAttention(request, decoder, layer, packed, rules, ablation);
    } else {
        attention = poolAttention(spec, layer, decoder.turned(layer, packed), tokens, request.gate, rules,
                                  request.ablations);
    }
    ablation.apply(attention.z, attention.values);
    if (request.capture.headOutputs)
        attention.record.outputs.z = attention.z;
    return attention;
}

}  // namespace hs::engine
