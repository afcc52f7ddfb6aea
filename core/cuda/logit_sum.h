#pragma once

#include "cuda/stream.h"

namespace hs::cuda {

/// One position's logits for the processor: widened to float, and followed by the logarithm of the sum of
/// their exponentials.
struct LogitProblem {
    int vocabulary = 0;
    Precision precision = Precision::Float;
    const void* logits = nullptr;  // [token]
    float* result = nullptr;       // [token | 1]
    float* scratch = nullptr;      // kLogitScratch numbers, zero at first; the kernel leaves it usable
};

constexpr int kLogitBlocks = 64;
constexpr int kLogitScratch = 2 * kLogitBlocks + 1;

void sumLogits(const LogitProblem& problem, Stream stream);

/// The twin, in float. It needs no scratch.
void sumLogitsTwin(const LogitProblem& problem);

}  // namespace hs::cuda
