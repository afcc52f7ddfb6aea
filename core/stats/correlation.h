#pragma once

#include "base/hooks.h"
#include "stats/pattern_shape.h"

#include <span>
#include <vector>

namespace hs::stats {

/// Pearson's correlation of every two variables over the same cells, in -1..1. NaN where one of them is
/// constant, or shorter than another. [variable, variable]
std::vector<double> correlations(std::span<const std::span<const float>> variables, const Hooks& hooks = {});

/// The correlation of two variables.
double correlation(std::span<const float> first, std::span<const float> second);

/// The weights of the cells that queries see, row by row.
std::vector<float> visibleWeights(const float* pattern,  // [query, key]
                                  const PatternShape& shape);

}  // namespace hs::stats
