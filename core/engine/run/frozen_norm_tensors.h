#pragma once

#include "engine/device/torch.h"
#include "model/arch_spec.h"

namespace hs::engine {

/// What the model's norms divide `input` by, before their weights. [] double
inline at::Tensor normScale(const model::ArchSpec& spec, const at::Tensor& input)
{
    at::Tensor x = input.to(at::kDouble);
    if (spec.norm == model::NormKind::LayerNorm)
        x = x - x.mean();
    return (x.square().mean() + spec.normEps).sqrt();
}

/// What a norm makes of summands of its input but for its scale: it is a linear map once that is frozen.
/// [row, hidden]
inline at::Tensor unscaledNorm(const model::ArchSpec& spec, const at::Tensor& summands,
                               const at::Tensor& weight)
{
    const at::Tensor centred =
        spec.norm == model::NormKind::LayerNorm ? summands - summands.mean(-1, /*keepdim=*/true) : summands;
    return weight.defined() ? centred * weight.to(summands.options()) : centred;
}

}  // namespace hs::engine
