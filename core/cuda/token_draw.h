#pragma once

#include "cuda/stream.h"

namespace hs::cuda {

/// Rows of logits, a token to be drawn from each: the one into whose share of the probabilities, laid end to end in the
/// order of ids, the row's number falls. Its block of the vocabulary is found first, then its place there.
struct TokenDraw {
    int rows = 0;
    int vocabulary = 0;
    Precision precision = Precision::Float;

    const void* logits = nullptr;     // [row, token]
    const double* numbers = nullptr;  // [row] from 0 to 1, which is excluded
    std::int64_t* tokens = nullptr;   // [row]
};

void drawTokens(const TokenDraw& problem, Stream stream);

/// The twin, for one row in float.
std::int64_t drawTokenTwin(const float* logits,  // [token]
                           std::int64_t vocabulary, double number);

constexpr int kTokenBlock = 256;

}  // namespace hs::cuda
