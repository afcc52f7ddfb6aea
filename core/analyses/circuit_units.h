#pragma once

#include "analyses/circuit.h"

#include <memory>
#include <vector>

namespace hs::analyses {

/// The clean and the corrupted run behind a circuit.
struct CircuitRuns {
    std::shared_ptr<const engine::HeadOutputs> clean;
    std::shared_ptr<const engine::HeadOutputs> corrupted;
};

/// Every unit in the model's order. Effects are 0 where both runs bring the same bits, else NaN: not
/// known yet. Cells where a query may not look, and cells and paths of heads that are off, are not units.
std::vector<CircuitUnit> listUnits(const CircuitRequest& request, const CircuitRuns& runs);

/// How many paths there are between heads and from them to the logits.
std::int64_t countPaths(const HeadShape& shape);

/// To first order, by the metric's gradients, what the metric gains when a unit's output is taken from
/// the clean run instead of the corrupted one. [unit]
std::vector<double> estimateGains(const std::vector<CircuitUnit>& units, const CircuitRuns& runs,
                                  const engine::HeadOutputs& gradients);

}  // namespace hs::analyses
