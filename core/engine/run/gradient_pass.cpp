#include "engine/run/gradient_pass_tensors.h"

#include "engine/run/layer_heads_tensors.h"

namespace hs::engine {
namespace {

/// A copy at which gradients end, whatever mode the given tensor was made in.
at::Tensor leaf(const at::Tensor& tensor)
{
    return tensor.clone().requires_grad_();
}

}  // namespace

at::Tensor logitIn(const Decoder& decoder, const at::Tensor& row, std::int64_t target,
                   std::optional<std::int64_t> versus)
{
    const auto logitOf = [&](std::int64_t token) {
        return decoder.logitsOf(row, at::full({1}, token, at::kLong).to(row.device())).sum();
    };
    const at::Tensor logit = logitOf(target);
    return versus ? logit - logitOf(*versus) : logit;
}

at::Tensor GradientPass::ofLogits(std::int64_t target, std::optional<std::int64_t> versus) const
{
    const at::Tensor residual = leaf(m_residual(m_run.model->spec().layers));
    const std::int64_t position = m_run.capture.position.value_or(static_cast<int>(residual.size(0)) - 1);
    logitIn(m_decoder, residual.narrow(0, position, 1), target, versus).backward();
    return residual.grad();
}

at::Tensor GradientPass::throughLayer(int layer, at::Tensor& gradient) const
{
    const at::Tensor residual = leaf(m_residual(layer));
    const at::Tensor z = layerHeads(m_decoder, m_run, layer, residual).z;
    const at::Tensor nudge = leaf(at::zeros_like(z));
    m_decoder.finishLayer(layer, residual, z + nudge).backward(gradient);
    gradient = residual.grad();
    return nudge.grad();
}

}  // namespace hs::engine
