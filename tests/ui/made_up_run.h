#pragma once

#include "engine/run_result.h"

namespace hs::test {

/// A run no model made: heads that look like the ones models have (sinks, diagonals, previous
/// token, diffuse, induction), the same at every call. `keptShare` is the share of cells that a
/// gate would leave.
RunResult madeUpRun(HeadShape heads, int tokens, double keptShare = 1);

/// Every head of the run, layer by layer.
std::vector<HeadId> allHeads(const RunResult& run);

}  // namespace hs::test
