#pragma once

#include "cuda/stream.h"

namespace hs::cuda {

/// The model's Activation, in a header that CUDA's C++17 can read.
enum class ActivationKind { Relu, Gelu, GeluTanh, QuickGelu, Silu };

struct ActivationProblem {
    std::int64_t rows = 0;
    int width = 0;  // of the gate, and of what it multiplies
    ActivationKind activation = ActivationKind::Silu;
    Precision precision = Precision::Float;
    const void* inner = nullptr;  // [row, gate | up]
};

void gatedActivationForward(const ActivationProblem& problem, void* y, Stream stream);
void gatedActivationBackward(const ActivationProblem& problem, const void* dy, void* dInner, Stream stream);

/// The twins, for rows [begin, end) in float.
void gatedActivationForwardTwin(const ActivationProblem& problem, float* y, std::int64_t begin,
                                std::int64_t end);
void gatedActivationBackwardTwin(const ActivationProblem& problem, const float* dy, float* dInner,
                                 std::int64_t begin, std::int64_t end);

}  // namespace hs::cuda
