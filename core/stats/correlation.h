#pragma once

#include "base/hooks.h"

#include <span>
#include <vector>

namespace hs::stats {

/// Pearson's correlation of every two variables over the same cells, in -1..1. NaN where one of them is
/// constant, or shorter than another one. [variable, variable]
std::vector<double> correlations(std::span<const std::span<const float>> variables, const Hooks& hooks = {});

/// That of two.
double correlation(std::span<const float> first, std::span<const float> second);

/// The weights on and below the diagonal, rows of the pattern in turn.
std::vector<float> causalWeights(const float* pattern,  // [query, key]
                                 int length);

}  // namespace hs::stats
