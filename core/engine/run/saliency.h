#pragma once

#include "engine/request/run_request.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hs::engine {

/// Asks how much each token of a prompt does for a logit, where the run is read.
struct SaliencyRequest {
    RunRequest run;
    std::int64_t target = 0;
    std::optional<std::int64_t> versus;  // set: the target's logit minus this token's
    int steps = 64;                      // points of the path at which gradients are taken
    /// What every token is before the path begins: this one; none: the mean of all embeddings.
    std::optional<std::int64_t> baseline;
};

/// Gradients with respect to the tokens' embeddings; learned positions stay as they are.
struct Saliency {
    int position = 0;
    double logit = 0;                        // of the run, minus that of `versus` when given
    double baselineLogit = 0;                // with every token the baseline
    std::vector<double> gradientTimesInput;  // [token]
    /// Integrated gradients: the mean of the gradient over the straight path from the baseline, by the midpoint rule,
    /// times the way. Their sum is the difference of the logits but for an error that falls with the square of the
    /// number of steps. What a gate that opens or closes on the way does has no gradient and stays in the error. [token]
    std::vector<double> integrated;

    /// What the integrated gradients add up to beyond the difference of the logits.
    double error() const;
};

}  // namespace hs::engine
