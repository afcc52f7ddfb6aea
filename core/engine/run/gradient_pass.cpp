#include "engine/run/gradient_pass_tensors.h"

#include "engine/run/layer_heads_tensors.h"

namespace hs::engine {

at::Tensor leaf(const at::Tensor& tensor)
{
    return tensor.clone().requires_grad_();
}

at::Tensor logitIn(const Decoder& decoder, const at::Tensor& rows, std::int64_t target,
                   std::optional<std::int64_t> versus)
{
    const auto logitOf = [&](std::int64_t token) {
        return decoder.logitsOf(rows, at::full({1}, token, at::kLong).to(rows.device())).sum();
    };
    const at::Tensor logit = logitOf(target);
    return versus ? logit - logitOf(*versus) : logit;
}

at::Tensor GradientPass::ofLogits(std::int64_t target, std::optional<std::int64_t> versus) const
{
    const at::Tensor residual = leaf(m_residual(m_run.model->spec().layers));
    const std::int64_t length = m_decoder.tokens().size(1);
    const std::int64_t position = m_run.capture.position.value_or(static_cast<int>(length) - 1);
    logitIn(m_decoder, residual.view({-1, length, residual.size(1)}).select(1, position), target, versus)
        .backward();
    return residual.grad();
}

HeadOutputs::Layer GradientPass::throughLayer(int layer, at::Tensor& gradient) const
{
    const at::Tensor residual = leaf(m_residual(layer));
    const at::Tensor z = layerHeads(m_decoder, m_run, layer, residual).z;
    const at::Tensor ofHeads = leaf(at::zeros_like(z));
    const at::Tensor ofMlp = leaf(at::zeros_like(residual));
    layerResult(m_decoder, m_run, layer, residual, z + ofHeads, [&](const at::Tensor& written) {
        written.add_(ofMlp);
    }).backward(gradient);
    gradient = residual.grad();
    HeadOutputs::Layer gradients;
    gradients.z = ofHeads.grad();
    gradients.mlp = ofMlp.grad();
    return gradients;
}

}  // namespace hs::engine
