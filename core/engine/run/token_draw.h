#pragma once

#include <cstdint>

namespace hs::engine {

/// Draws from softmax(logits): the index into whose share of the probabilities, laid end to end, a number from
/// 0 to 1, which is excluded, falls.
std::int64_t drawToken(const float* logits, std::int64_t count, double number);

}  // namespace hs::engine
