#include "engine/run/written_norms.h"

#include "engine/run/adapted_weights_tensors.h"
#include "engine/run/frozen_norm_tensors.h"
#include "engine/run/head_outputs_tensors.h"

namespace hs::engine {
namespace {

/// The same for each row: what a norm after the attention divides its input by. [query, 1]
at::Tensor scaleOfRows(const model::ArchSpec& spec, at::Tensor rows)  // [query, hidden]
{
    if (spec.norm == model::NormKind::LayerNorm)
        rows = rows - rows.mean(-1, /*keepdim=*/true);
    return (rows.square().mean(-1, /*keepdim=*/true) + spec.normEps).sqrt();
}

double meanLength(const at::Tensor& rows)  // [query, hidden]
{
    return rows.norm(2, -1).mean().item<double>();
}

}  // namespace

std::map<HeadId, double> writtenNorms(const RunRequest& run, const HeadOutputs& outputs)
{
    const c10::InferenceMode noGradients;
    const model::ArchSpec& spec = run.model->spec();
    const HeadShape shape = spec.headShape();
    const AdaptedWeights weights(run);
    std::map<HeadId, double> norms;
    for (int layer = 0; layer < spec.layers; ++layer) {
        const at::Tensor projection = weights.at(layer, model::Role::OutWeight).to(at::kFloat);
        const at::Tensor z =
            outputs.z(layer).to(projection.device(), at::kFloat);  // [query, head, head size]
        at::Tensor scale;
        if (spec.normAfter) {  // frozen at what it is for all heads
            const at::Tensor bias = weights.at(layer, model::Role::OutBias);
            scale = scaleOfRows(
                spec, at::linear(z.flatten(1), projection, bias.defined() ? bias.to(at::kFloat) : bias));
        }
        for (int head = 0; head < shape.headsOf(layer); ++head) {
            at::Tensor written =
                at::linear(z.select(1, head), projection.narrow(1, head * spec.headDim, spec.headDim));
            if (spec.normAfter)
                written =
                    unscaledNorm(spec, written, weights.at(layer, model::Role::AttentionAfterNormWeight)) /
                    scale;
            norms[{layer, head}] = meanLength(written);
        }
        norms[HeadId::mlpOf(layer)] = meanLength(outputs.mlp(layer).to(at::kFloat));
    }
    return norms;
}

}  // namespace hs::engine
