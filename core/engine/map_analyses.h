#pragma once

#include "analysis/head_scatter.h"
#include "analysis/token_flow.h"
#include "base/hooks.h"
#include "base/result.h"
#include "engine/comparison.h"
#include "engine/engine.h"

#include <vector>

namespace hs {

/// Analyses of attention patterns. Maps are read layer by layer, so that those of all heads are never
/// held at once.

/// Weights of these heads over the causal cells of a run, their correlations and clusters.
Result<HeadScatter> scatterHeads(Engine& engine, const RunRequest& request, const std::vector<HeadId>& heads,
                                 const Hooks& hooks = {});

/// The edges of a run with a weight of at least `threshold`; ablated heads carry none.
Result<TokenFlow> tokenFlow(Engine& engine, const RunRequest& request, double threshold,
                            const Hooks& hooks = {});

/// The heads of two runs, each on its own engine.
Result<Comparison> compareRuns(Engine& first, const RunRequest& firstRequest, Engine& second,
                               const RunRequest& secondRequest, const Hooks& hooks = {});

}  // namespace hs
