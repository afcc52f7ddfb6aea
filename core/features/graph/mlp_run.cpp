#include "features/graph/mlp_run_tensors.h"

#include "engine/device/device_tensors.h"
#include "engine/run/decoder_tensors.h"
#include "engine/run/request_check.h"

namespace hs::features {

at::Tensor runMlps(const engine::RunRequest& request, const std::function<at::Tensor(const MlpVisit&)>& visit)
{
    engine::checkRequest(request);
    const c10::InferenceMode noGradients;
    const engine::Model& model = *request.model;
    const model::ArchSpec& spec = model.spec();
    const engine::Decoder decoder(request, request.tokens);
    at::Tensor residual = decoder.embed();
    for (int layer = 0; layer < spec.layers; ++layer) {
        const at::Tensor z =
            engine::attend(decoder.project(layer, residual), decoder.hiddenCells(layer), request.gate, {});
        const at::Tensor middle = residual + decoder.attentionOutput(layer, z);
        const at::Tensor& read = spec.hasParallelResidual ? residual : middle;
        const at::Tensor added =
            visit({layer, read.to(at::kCPU, at::kFloat),
                   [&] { return decoder.mlpOutput(layer, residual, middle).to(at::kCPU, at::kFloat); }});
        residual = middle + added.to(middle.options());
        if (layer + 1 < spec.layers)
            residual = residual.to(model.weights().at(layer + 1, model::Role::OutWeight).device());
    }
    return decoder.logits(residual).to(at::kCPU);
}

at::Tensor readAt(Place place, const engine::Model& model, int layer, const at::Tensor& stream)
{
    const model::ArchSpec& spec = model.spec();
    if (place == Place::Middle || !spec.normBefore)
        return stream;
    const at::Tensor x =
        spec.norm == model::NormKind::LayerNorm ? stream - stream.mean(-1, /*keepdim=*/true) : stream;
    at::Tensor read = x * (x.square().mean(-1, /*keepdim=*/true) + spec.normEps).rsqrt();
    if (place == Place::Normed)
        return read;
    const auto weightOf = [&](model::Role role) {
        const at::Tensor& weight = model.weights().at(layer, role);
        return weight.defined() ? weight.to(stream.options()) : weight;
    };
    if (const at::Tensor weight = weightOf(model::Role::MlpNormWeight); weight.defined())
        read = read * weight;
    if (const at::Tensor bias = weightOf(model::Role::MlpNormBias); bias.defined())
        read = read + bias;
    return read;
}

}  // namespace hs::features
