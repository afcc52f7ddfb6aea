#pragma once

#include <span>

namespace hs::stats {

/// Spearman's correlation of two variables, in -1..1: that of their ranks, where equal values share the mean of theirs.
/// NaN where one of them is constant.
double rankCorrelation(std::span<const double> first, std::span<const double> second);

}  // namespace hs::stats
