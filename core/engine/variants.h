#pragma once

#include "engine/run_request.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hs {

/// Asks how a run's answer changes when more of its heads are ablated, for many sets of heads at once.
struct VariantRequest {
    RunRequest run;                   // the baseline; its ablations hold in every variant
    std::vector<Ablations> variants;  // what each does beyond them
    std::int64_t target = 0;
    std::optional<std::int64_t> versus;
    bool loss = true;  // costs logits at every position
};

/// What is read off a run at its last position.
struct VariantReading {
    double logit = 0;            // of the target
    double logitDifference = 0;  // to that of versus; the logit itself without one
    double probability = 0;      // of the target
    double loss = 0;             // next-token cross entropy of the whole prompt; NaN where not asked for
    double divergence = 0;       // KL(baseline || this) of the prediction
};

struct VariantResult {
    VariantReading baseline;
    std::vector<VariantReading> variants;  // as requested
};

}  // namespace hs
