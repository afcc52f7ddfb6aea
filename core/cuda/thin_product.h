#pragma once

#include "cuda/stream.h"

namespace hs::cuda {

/// y = activation(x W^T + bias + addend) for few rows of floats, to the precision of float.
struct ThinProduct {
    int rows = 0;
    int in = 0;
    int out = 0;
    std::int64_t inputStride = 0;  // between rows of x
    bool isTransposed = false;     // the weight is stored [in, out] instead of [out, in]
    bool hasGelu = false;          // the tanh form
    const float* x = nullptr;
    const float* weight = nullptr;
    const float* bias = nullptr;    // [out]; null: none
    const float* addend = nullptr;  // [row, out]; null: none
    float* y = nullptr;             // [row, out]
};

constexpr int kMostThinRows = 64;

/// Whether the kernel takes such a product: few rows, sizes that are multiples of what it reads at once, and
/// no more columns than the multiprocessors of the current device have room for together.
bool isThin(const ThinProduct& product);

void multiplyThin(const ThinProduct& product, Stream stream);

/// The twin, for columns [begin, end).
void multiplyThinTwin(const ThinProduct& product, int begin, int end);

}  // namespace hs::cuda
