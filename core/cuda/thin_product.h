#pragma once

#include "cuda/stream.h"

namespace hs::cuda {

/// y = activation(x W^T + bias + addend) for few rows of floats, to the precision of float.
struct ThinProduct {
    int rows = 0;  // at most kThinRows
    int in = 0;    // a multiple of kThinTile, as `out` is
    int out = 0;
    std::int64_t inputStride = 0;  // between rows of x
    bool isTransposed = false;     // the weight is stored [in, out] instead of [out, in]
    bool hasGelu = false;          // the tanh form
    const float* x = nullptr;
    const float* weight = nullptr;
    const float* bias = nullptr;    // [out]; null: none
    const float* addend = nullptr;  // [row, out]; null: none; may be y
    float* y = nullptr;             // [row, out]

    std::byte* scratch = nullptr;  // thinScratchBytes, zero at first; the kernel leaves it usable
};

constexpr int kThinRows = 64;
constexpr int kThinTile = 64;

/// Whether sizes and places suit the kernel.
bool isThin(const ThinProduct& product);

/// For every product of up to so many columns.
std::size_t thinScratchBytes(int mostColumns);

void multiplyThin(const ThinProduct& product, Stream stream);

}  // namespace hs::cuda
