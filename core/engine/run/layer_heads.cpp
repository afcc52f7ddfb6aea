#include "engine/run/layer_heads_tensors.h"

#include "engine/run/layer_ablation_tensors.h"
#include "engine/run/stream_writes_tensors.h"

namespace hs::engine {

LayerHeads layerHeads(const Decoder& decoder, const RunRequest& run, int layer, const at::Tensor& residual,
                      const PatternSink& sink)
{
    LayerHeads heads{decoder.project(layer, residual), {}};
    const std::int64_t prompts = decoder.tokens().size(0);
    const std::vector<Ablations> ablations(static_cast<std::size_t>(prompts), run.ablations);
    LayerAblation ablation(run.model->spec(), layer, ablations, {0, decoder.tokens().size(1)});
    heads.z = attend(
        heads.projections, decoder.hiddenCells(layer), run.gate,
        [&](PatternChunk& chunk) {
            ablation.take(chunk);
            if (sink)
                sink(chunk);
        },
        prompts);
    ablation.apply(heads.z, heads.projections.values);
    return heads;
}

at::Tensor layerResult(const Decoder& decoder, const RunRequest& run, int layer, const at::Tensor& residual,
                       const at::Tensor& z)
{
    const at::Tensor after = decoder.finishLayer(layer, residual, z);
    addWrites(run.writes, layer, after, {0, decoder.tokens().size(1)});
    return after;
}

}  // namespace hs::engine
