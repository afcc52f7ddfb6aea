#pragma once

#include "analyses/comparison.h"
#include "base/hooks.h"
#include "base/result.h"
#include "engine/run/engine.h"
#include "stats/head_scatter.h"
#include "stats/token_flow.h"

#include <vector>

namespace hs::analyses {

/// Analyses of attention patterns. Maps are read layer by layer, so that those of all heads are never
/// held at once.

/// Weights of these heads over the causal cells of a run, their correlations and clusters.
Result<stats::HeadScatter> scatterHeads(engine::Engine& engine, const engine::RunRequest& request,
                                        const std::vector<HeadId>& heads, const Hooks& hooks = {});

/// The edges of a run with a weight of at least `threshold`; ablated heads carry none.
Result<stats::TokenFlow> tokenFlow(engine::Engine& engine, const engine::RunRequest& request,
                                   double threshold, const Hooks& hooks = {});

/// The heads of two runs, each on its own engine.
Result<Comparison> compareRuns(engine::Engine& first, const engine::RunRequest& firstRequest,
                               engine::Engine& second, const engine::RunRequest& secondRequest,
                               const Hooks& hooks = {});

}  // namespace hs::analyses
