#pragma once

#include "engine/request/run_request.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hs::engine {

/// Asks how a run's answer changes when more of its heads are ablated, for many sets of heads at once.
struct VariantRequest {
    /// The baseline; its ablations hold in every variant, and Capture::position says where they are read.
    RunRequest run;
    std::vector<Ablations> variants;  // what each adds to them
    std::int64_t target = 0;
    std::optional<std::int64_t> versus;
    bool prediction = true;    // probability and divergence; costs the logits of all tokens
    bool loss = true;          // costs them at every position
    bool tokenLosses = false;  // with it, the loss of each token
};

/// What is read off a run at one position.
struct VariantReading {
    double logit = 0;            // of the target
    double logitDifference = 0;  // logit minus that of versus; the logit itself without one
    double probability = 0;      // of the target; NaN where not asked for
    double loss = 0;             // next-token cross entropy of the whole prompt; NaN where not asked for
    double divergence = 0;       // KL(baseline || this) of the prediction; NaN where not asked for
    std::vector<double> tokenLosses = {};  // [query] of the token after it; empty where not asked for
};

/// A reading that is not known yet.
inline const VariantReading kUnread{NAN, NAN, NAN, NAN, NAN};

struct VariantResult {
    VariantReading baseline;
    std::vector<VariantReading> variants;  // as requested
};

/// Receives what is known so far after each portion of the variants; the rest is `kUnread`.
using VariantNews = std::function<void(const VariantResult&)>;

}  // namespace hs::engine
