#pragma once

#include <cstdint>

namespace hs::train {

/// Draws a token of one row as `drawTokens` does, without writing the probabilities anywhere.
std::int64_t drawTokenOnCpu(const float* logits, std::int64_t vocabulary, double number);

}  // namespace hs::train
