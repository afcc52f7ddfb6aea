#pragma once

#include <span>
#include <vector>

namespace hs {

/// Pearson's correlation of two variables over the same cells, in -1..1. NaN where one of them is
/// constant or they differ in length.
double correlation(std::span<const float> first, std::span<const float> second);

/// The weights on and below the diagonal, rows of the pattern in turn.
std::vector<float> causalWeights(const float* pattern,  // [query, key]
                                 int length);

}  // namespace hs
