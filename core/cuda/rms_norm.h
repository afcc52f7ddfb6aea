#pragma once

#include "cuda/stream.h"

namespace hs::cuda {

struct NormProblem {
    std::int64_t rows = 0;
    int width = 0;
    float eps = 0;
    Precision precision = Precision::Float;
    const void* x = nullptr;      // [row, width]
    const void* scale = nullptr;  // [width]; null: one
};

struct NormGradient {
    const float* inverse = nullptr;  // [row], as the forward pass left it
    const void* dy = nullptr;        // [row, width]
    void* dx = nullptr;              // [row, width]
    float* dScale = nullptr;         // [part, width]: parts of the sum over rows; null: not wanted
};

/// How many parts the gradient of the scale comes in.
int normParts(std::int64_t rows);

/// y = x / root mean square, rounded, times scale; `inverse` is one over the root mean square.
void rmsNormForward(const NormProblem& problem, void* y, float* inverse, Stream stream);
void rmsNormBackward(const NormProblem& problem, const NormGradient& gradient, Stream stream);

/// The twins, for rows [begin, end) in float; the gradient of the scale is added to a single part.
void rmsNormForwardTwin(const NormProblem& problem, float* y, float* inverse, std::int64_t begin,
                        std::int64_t end);
void rmsNormBackwardTwin(const NormProblem& problem, const NormGradient& gradient, std::int64_t begin,
                         std::int64_t end);

}  // namespace hs::cuda
