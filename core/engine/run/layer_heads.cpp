#include "engine/run/layer_heads_tensors.h"

#include "engine/run/layer_ablation_tensors.h"
#include "engine/run/stream_writes_tensors.h"

namespace hs::engine {

namespace {

std::vector<Ablations> ofEachPrompt(const Decoder& decoder, const RunRequest& run)
{
    return std::vector(static_cast<std::size_t>(decoder.tokens().size(0)), run.ablations);
}

}  // namespace

LayerHeads layerHeads(const Decoder& decoder, const RunRequest& run, int layer, const at::Tensor& residual,
                      const PatternSink& sink)
{
    LayerHeads heads{decoder.project(layer, residual), {}};
    const std::int64_t prompts = decoder.tokens().size(0);
    const std::vector<Ablations> ablations = ofEachPrompt(decoder, run);
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
                       const at::Tensor& z, const MlpChange& more)
{
    const RowRange rows{0, decoder.tokens().size(1)};
    const std::vector<Ablations> ablations = ofEachPrompt(decoder, run);
    const MlpChange change = mlpChange(layer, ablations, rows);
    const at::Tensor after = decoder.finishLayer(layer, residual, z, [&](const at::Tensor& written) {
        if (change)
            change(written);
        if (more)
            more(written);
    });
    addWrites(run.writes, layer, after, rows);
    return after;
}

at::Tensor mlpRow(const Decoder& decoder, const RunRequest& run, int layer, const at::Tensor& residual,
                  const at::Tensor& z, std::int64_t position)
{
    // A mean is taken over all positions.
    const RowRange rows =
        run.ablations.contains(HeadId::mlpOf(layer)) ? RowRange{0, z.size(0)} : RowRange{position, 1};
    const at::Tensor before = residual.narrow(0, rows.first, rows.count);
    const at::Tensor middle = before + decoder.attentionOutput(layer, z.narrow(0, rows.first, rows.count));
    const at::Tensor written = decoder.mlpOutput(layer, before, middle);
    if (const MlpChange change = mlpChange(layer, {&run.ablations, 1}, rows))
        change(written);
    addWrites(run.writes, layer, written, rows);
    return written[position - rows.first];
}

}  // namespace hs::engine
