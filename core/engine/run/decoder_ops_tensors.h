#pragma once

#include "engine/device/torch.h"
#include "model/arch_spec.h"

namespace hs::engine {

/// The decoder's pointwise operations, separate so that they can be replaced: training brings some that
/// are fused with their gradients.
class DecoderOps {
public:
    virtual ~DecoderOps() = default;

    virtual at::Tensor rmsNorm(const at::Tensor& x, const at::Tensor& scale, double eps) const;

    /// The MLP's nonlinearity applied to `inner`, [row, intermediate] or [row, gate | up] when gated, which
    /// may be overwritten unless a gradient is wanted.
    virtual at::Tensor activate(const at::Tensor& inner, const model::ArchSpec& spec) const;

    static const DecoderOps& plain();
};

}  // namespace hs::engine
