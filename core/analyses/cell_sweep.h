#pragma once

#include "base/head_change.h"
#include "engine/run/engine.h"

#include <optional>
#include <vector>

namespace hs::analyses {

/// Asks what each cell of a head's pattern does for one answer.
struct CellSweepRequest {
    engine::RunRequest run;
    HeadId head;
    CellMethod method;  // what becomes of the cell; not Replace
    std::int64_t target = 0;
    std::optional<std::int64_t> versus;
    int most = 2048;  // cells; those with the most weight
};

struct SweptCell {
    CellId cell;
    double weight = 0;
    engine::VariantReading change;  // cut − baseline
};

struct CellSweep {
    HeadId head;
    CellMethod method;
    engine::VariantReading baseline;
    std::vector<SweptCell> cells;  // the largest change of the logit difference first
    int leftOut = 0;               // cells with some weight, but less than those
};

/// Cuts each cell that carries something by itself, many side by side. Read at Capture::position.
Result<CellSweep> sweepCells(engine::Engine& engine, const CellSweepRequest& request,
                             const Hooks& hooks = {});

}  // namespace hs::analyses
