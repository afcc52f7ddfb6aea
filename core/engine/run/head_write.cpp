#include "engine/run/lenses_tensors.h"

#include "base/failure.h"
#include "engine/run/frozen_norm_tensors.h"
#include "engine/run/layer_heads_tensors.h"
#include "engine/run/promoted_tokens_tensors.h"

namespace hs::engine {
namespace {

/// What a head adds to the sum of all heads, given its output. [1, hidden] double
at::Tensor addedBy(const RunRequest& run, HeadId head, const at::Tensor& output)  // [head size]
{
    const std::int64_t size = run.model->spec().headDim;
    const at::Tensor columns = AdaptedWeights(run)
                                   .at(head.layer, model::Role::OutWeight)
                                   .narrow(1, head.head * size, size)
                                   .to(at::kDouble);
    return at::linear(output.to(at::kDouble).unsqueeze(0), columns);
}

/// The sum of all heads and the bias, which a norm after the attention reads. [hidden] double
at::Tensor sumOfHeads(const RunRequest& run, int layer, const at::Tensor& outputs)  // [head, head size]
{
    const AdaptedWeights weights(run);
    const at::Tensor bias = weights.at(layer, model::Role::OutBias);
    const at::Tensor sum =
        at::mv(weights.at(layer, model::Role::OutWeight).to(at::kDouble), outputs.to(at::kDouble).flatten());
    return bias.defined() ? sum + bias.to(at::kDouble) : sum;
}

/// What a head's output adds to the stream, past the norm after the attention. [1, hidden] double
at::Tensor writtenBy(const RunRequest& run, HeadId head, const at::Tensor& output,  // [head size]
                     const at::Tensor& outputs)                                     // of all heads
{
    const Model& model = *run.model;
    const at::Tensor added = addedBy(run, head, output);
    if (!model.spec().normAfter)
        return added;
    return unscaledNorm(model.spec(), added,
                        model.weights().at(head.layer, model::Role::AttentionAfterNormWeight)) /
           normScale(model.spec(), sumOfHeads(run, head.layer, outputs));
}

}  // namespace

HeadWrite headWriteOf(RunMemory& memory, const RunRequest& run, HeadId head, std::optional<int> key,
                      const Hooks& hooks)
{
    const Model& model = *run.model;
    const model::ArchSpec& spec = model.spec();
    const Decoder& decoder = memory.decoderOf(run);
    memory.advance(run, decoder, spec.layers, hooks);
    const at::Tensor& residual = memory.residual(head.layer);
    const at::Tensor& last = memory.residual(spec.layers);
    const std::int64_t query = run.capture.position.value_or(static_cast<int>(last.size(0)) - 1);
    at::Tensor weights = at::empty({0}, at::kDouble);  // [key]
    const auto [projections, z] =
        layerHeads(decoder, run, head.layer, residual, [&](const PatternChunk& chunk) {
            const int index = head.head - chunk.firstHead;
            if (index >= 0 && index < chunk.weights.size(0))
                weights = chunk.weights[index][query].to(at::kDouble);
        });
    at::Tensor written;
    if (head.isMlp()) {
        written = mlpRow(decoder, run, head.layer, residual, z, query).to(at::kDouble).unsqueeze(0);
    } else if (key) {
        const at::Tensor& values = projections.values[head.head / (spec.heads / spec.kvHeads)];
        written = writtenBy(run, head, values[*key].to(at::kDouble) * weights[*key], z[query]);
    } else {
        written = writtenBy(run, head, z[query][head.head], z[query]);
    }
    written = unscaledNorm(spec, written.to(last.device()), model.weights()[model::Role::FinalNormWeight]) /
              normScale(spec, last[query]);
    const at::Tensor onHost = weights.to(at::kCPU).contiguous();
    return {head,
            static_cast<int>(query),
            key,
            {onHost.data_ptr<double>(), onHost.data_ptr<double>() + onHost.numel()},
            promotedTokens(decoder.unembedNormed(written.to(last.scalar_type())), run.capture.topK)[0]};
}

}  // namespace hs::engine
