#pragma once

#include "base/hooks.h"
#include "engine/run/engine.h"

namespace hs::bench {

/// A full run of the model, and the run after the strength of an adapter of all projections was turned, in turn.
struct AdapterTimes {
    double run = 0;  // ms, medians
    double step = 0;

    double ratio() const { return step / run; }
};

AdapterTimes timeAdapterStep(const engine::RunRequest& request, int rounds, const Hooks& hooks);

}  // namespace hs::bench
