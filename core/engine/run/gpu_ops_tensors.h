#pragma once

#include "cuda/linear.h"
#include "cuda/row_norm.h"
#include "engine/device/torch.h"
#include "engine/load/model.h"

namespace hs::engine {

/// A model's operations on a GPU, as kernels on one stream that write where they are told and allocate
/// nothing. Only in builds with CUDA.
class GpuOps {
public:
    static constexpr int kMostWidth = cuda::kMostNormWidth;

    GpuOps(const Model& model, cuda::Stream stream);

    cuda::Precision precision() const { return m_precision; }
    void allowTf32(bool isAllowed) { m_isTf32 = isAllowed; }

    /// y = [addend +] norm(x)
    void norm(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& bias, const at::Tensor& addend,
              const at::Tensor& y);

    /// y = [GELU of] x W^T [+ bias] [+ addend]
    void multiply(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                  const at::Tensor& addend, const at::Tensor& y, bool hasGelu = false);

    /// Clips, norms and rotates a layer's projections, as the architecture wants. [query, q | k | v]
    void prepare(int layer, const at::Tensor& qkv, const at::Tensor& cos, const at::Tensor& sin);

    /// The MLP's nonlinearity, written to the first columns of its argument. [row, gate | up]
    void activate(const at::Tensor& inner);

private:
    const model::ArchSpec& m_spec;
    const ModelWeights& m_weights;
    cuda::Precision m_precision;
    cuda::Stream m_stream;
    bool m_isTf32 = false;
    cuda::LinearProducts m_products;
};

}  // namespace hs::engine
