#pragma once

#include "cuda/stream.h"

namespace hs::cuda {

/// Norms of rows for runs, which need no gradient.
struct RowNormProblem {
    std::int64_t rows = 0;
    int width = 0;
    bool isRms = false;  // by the root mean square alone; otherwise around the mean
    float eps = 0;
    Precision precision = Precision::Float;
    const void* x = nullptr;       // [row, width]
    const void* scale = nullptr;   // [width]; null: one
    const void* bias = nullptr;    // [width]; null: zero
    const void* addend = nullptr;  // [row, width], added to the normed row; null: none
    void* y = nullptr;             // [row, width]; may be the addend
};

constexpr int kMostNormWidth = 16384;

void rowNorm(const RowNormProblem& problem, Stream stream);

/// The twin, for rows [begin, end) in float.
void rowNormTwin(const RowNormProblem& problem, std::int64_t begin, std::int64_t end);

}  // namespace hs::cuda
