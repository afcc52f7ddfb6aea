#include "engine/run/decoder_ops_tensors.h"

#include "engine/run/cpu_activation.h"
#include "engine/run/row_product_tensors.h"

#include <algorithm>
#include <cmath>

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

/// In one pass over each row, where torch's operations take one each.
at::Tensor rmsNormByRow(const at::Tensor& x, const at::Tensor& scale, float eps)
{
    const at::Tensor y = at::empty_like(x);
    const std::int64_t width = x.size(-1);
    const float* const from = x.data_ptr<float>();
    const float* const by = scale.defined() ? scale.data_ptr<float>() : nullptr;
    float* const to = y.data_ptr<float>();
    const std::int64_t grain = std::max<std::int64_t>(1, at::internal::GRAIN_SIZE / width);
    at::parallel_for(0, x.numel() / width, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const float* const numbers = from + row * width;
            const float inverse =
                1 / std::sqrt(dot(numbers, numbers, width) / static_cast<float>(width) + eps);
            for (std::int64_t i = 0; i < width; ++i)
                to[row * width + i] = numbers[i] * inverse * (by ? by[i] : 1);
        }
    });
    return y;
}

}  // namespace

at::Tensor DecoderOps::rmsNorm(const at::Tensor& x, const at::Tensor& scale, double eps) const
{
    if (hasPlainRows(x) && (!scale.defined() || hasPlainRows(scale)))
        return rmsNormByRow(x, scale, static_cast<float>(eps));
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
