#pragma once

#include "train/held_out.h"
#include "train/options.h"

#include <vector>

namespace hs::train {

/// [group] How much worse than the dense model one is, in nats per token.
std::vector<double> excessOf(const SparsityOptions& options, const HeldOutMeasure& measure,
                             const HeldOutMeasure& dense);

/// How close a model is to what is tolerated, in nats and in scores; 1 is the limit.
double strainOf(const SparsityOptions& options, const HeldOutMeasure& measure, const HeldOutMeasure& dense);

/// The mean of what is not NaN; 0 of nothing.
double meanOf(const std::vector<double>& values);

}  // namespace hs::train
