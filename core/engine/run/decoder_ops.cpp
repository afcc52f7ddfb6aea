#include "engine/run/decoder_ops_tensors.h"

#include "engine/run/cpu_activation.h"

#include <algorithm>

namespace hs::engine {
namespace {

at::Tensor activateByTorch(const at::Tensor& x, model::Activation activation)
{
    switch (activation) {
    case model::Activation::Relu: return at::relu(x);
    case model::Activation::Gelu: return at::gelu(x);
    case model::Activation::GeluTanh: return at::gelu(x, "tanh");
    case model::Activation::QuickGelu: return x * at::sigmoid(x * 1.702);
    case model::Activation::Silu: break;
    }
    return at::silu(x);
}

}  // namespace

at::Tensor DecoderOps::rmsNorm(const at::Tensor& x, const at::Tensor& scale, double eps) const
{
    const at::Tensor wide = x.to(at::kFloat);
    const at::Tensor inverse = wide.square().mean(-1, /*keepdim=*/true).add_(eps).rsqrt_();
    const at::Tensor normed = (wide * inverse).to(x.scalar_type());
    return scale.defined() ? normed * scale : normed;
}

at::Tensor DecoderOps::activate(const at::Tensor& inner, const model::ArchSpec& spec) const
{
    const std::int64_t width = spec.intermediate;
    const at::Tensor gate = inner.narrow(1, 0, width);
    const bool isInPlace =
        inner.device().is_cpu() && !c10::GradMode::is_enabled() && hasCpuActivation(spec.activation);
    if (!isInPlace) {
        const at::Tensor active = activateByTorch(gate, spec.activation);
        return spec.hasGatedMlp ? active * inner.narrow(1, width, width) : active;
    }
    float* const data = inner.data_ptr<float>();
    const std::int64_t stride = inner.stride(0);
    const std::int64_t grain = std::max<std::int64_t>(1, at::internal::GRAIN_SIZE / width);
    at::parallel_for(0, inner.size(0), grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            float* const x = data + row * stride;
            if (spec.hasGatedMlp)
                activateGated(spec.activation, x, x + width, static_cast<std::size_t>(width));
            else
                hs::engine::activate(spec.activation, x, static_cast<std::size_t>(width));
        }
    });
    return gate;
}

const DecoderOps& DecoderOps::plain()
{
    static const DecoderOps kPlain;
    return kPlain;
}

}  // namespace hs::engine
