#pragma once

#include "base/hooks.h"
#include "engine/run/engine.h"

namespace hs::bench {

/// Redrawing after a cell of a head in the middle layer was cut, and after the head was ablated, in turn.
struct CutTimes {
    double ablated = 0;  // ms, medians
    double cut = 0;

    double ratio() const { return cut / ablated; }
};

CutTimes timeCutCell(engine::RunRequest request, int rounds, const Hooks& hooks);

}  // namespace hs::bench
