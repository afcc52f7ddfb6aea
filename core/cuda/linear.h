#pragma once

#include "cuda/stream.h"

#include <compare>
#include <memory>

namespace hs::cuda {

/// y = activation(x W^T + bias + addend): sizes, and how the matrices are laid out in memory.
struct LinearShape {
    int rows = 0;
    int in = 0;
    int out = 0;
    std::int64_t inputStride = 0;  // between rows of x
    bool isTransposed = false;     // the weight is stored [in, out] instead of [out, in]
    bool hasBias = false;
    bool hasGelu = false;  // the tanh form
    bool hasAddend = false;
    bool isTf32 = false;  // float factors may be rounded to TF32
    Precision precision = Precision::Float;

    friend auto operator<=>(const LinearShape&, const LinearShape&) = default;
};

/// Pointers aligned to 256 bytes, as cuBLAS assumes.
struct LinearOperands {
    const void* x = nullptr;       // [row, in]
    const void* weight = nullptr;  // [out, in]
    const void* bias = nullptr;    // [out]
    const void* addend = nullptr;  // [row, out]; not y itself
    void* y = nullptr;             // [row, out]
};

/// Matrix products on one device: those of few rows of floats by thin_product.h, the others by cuBLAS, which
/// chooses an algorithm once for each shape. (The fastest of two dozen was measured to be no faster than its
/// choice.) Products share a workspace, so they must use one stream.
class LinearProducts {
public:
    LinearProducts();
    ~LinearProducts();

    /// Throws std::runtime_error.
    void run(const LinearShape& shape, const LinearOperands& operands, Stream stream);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace hs::cuda
