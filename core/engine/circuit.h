#pragma once

#include "base/hooks.h"
#include "base/result.h"
#include "engine/engine.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hs {

/// Asks which heads carry the difference between two prompts of equal length: `clean`, which the
/// model answers with `target`, and `corrupted`, in which what it needs is missing.
struct CircuitRequest {
    RunRequest clean;
    RunRequest corrupted;
    std::int64_t target = 0;
    std::optional<std::int64_t> versus;  // none: the target's logit alone is the metric
    double level = 0.9;                  // explained effect that the smallest circuit reaches
};

/// A head and what it does alone: its output of the clean run put into the corrupted run moves the
/// metric by this share of the way from corrupted to clean.
struct CircuitUnit {
    HeadId head;
    double effect = 0;

    friend bool operator==(const CircuitUnit&, const CircuitUnit&) = default;
};

struct CircuitPoint {
    int kept = 0;
    double effect = 0;  // explained

    friend bool operator==(const CircuitPoint&, const CircuitPoint&) = default;
};

/// The explained effect of n heads: the clean prompt is run with all but the n best heads' outputs
/// taken from the corrupted run, and (metric − none) / (clean − none) says how much of the clean
/// metric is left, `none` being the metric with no head kept, so nothing explains 0 and everything 1.
/// With no head kept the last position sees its own token and corrupted outputs alone: `none` is the
/// corrupted metric whenever both prompts end in the same token.
struct Circuit {
    double clean = 0;  // logit of target − that of versus at the last position
    double corrupted = 0;
    double none = 0;
    std::vector<CircuitUnit> units;   // every head, the largest |effect| first: one that pulls the other
                                      // way is part of how the model does it, too
    std::vector<CircuitPoint> curve;  // from 0 to all heads; of many heads not every count
    double level = 0;
    int smallest = 0;  // the first count on the curve that reaches the level
};

/// Patches every head in one pass, and runs the points of the curve in another.
Result<Circuit> findCircuit(Engine& engine, const CircuitRequest& request, const Hooks& hooks = {});

}  // namespace hs
