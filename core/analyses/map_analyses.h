#pragma once

#include "analyses/comparison.h"
#include "base/hooks.h"
#include "base/result.h"
#include "engine/run/engine.h"
#include "stats/head_scatter.h"
#include "stats/token_flow.h"

#include <functional>
#include <vector>

namespace hs::analyses {

/// Analyses of attention patterns. Maps are read layer by layer, so that those of all heads are never
/// held at once.

/// The weights of a run, however they come.
struct LayeredWeights {
    HeadShape heads;
    stats::PatternShape pattern;
    /// A layer's maps; may throw Failure. [head, query, key]
    std::function<engine::LayerMap(int layer)> layer;
};

Result<stats::HeadScatter> scatterHeads(const LayeredWeights& weights, const std::vector<HeadId>& heads,
                                        const Hooks& hooks = {});
/// `isOff`: heads that carry nothing.
Result<stats::TokenFlow> tokenFlow(const LayeredWeights& weights, double threshold,
                                   const std::function<bool(HeadId)>& isOff, const Hooks& hooks = {});
/// The rollout of attention, by the heads that are not off. [query, key]
Result<std::vector<double>> attentionRollout(const LayeredWeights& weights,
                                             const std::function<bool(HeadId)>& isOff,
                                             const Hooks& hooks = {});
Result<Comparison> compareRuns(const engine::RunResult& first, const LayeredWeights& firstWeights,
                               const engine::RunResult& second, const LayeredWeights& secondWeights,
                               const stats::TokenPairs& tokens = {}, const Hooks& hooks = {});

/// Weights of these heads over the cells that queries see in a run, their correlations and clusters.
Result<stats::HeadScatter> scatterHeads(engine::Engine& engine, const engine::RunRequest& request,
                                        const std::vector<HeadId>& heads, const Hooks& hooks = {});

/// The edges of a run with a weight of at least `threshold`; ablated heads carry none.
Result<stats::TokenFlow> tokenFlow(engine::Engine& engine, const engine::RunRequest& request,
                                   double threshold, const Hooks& hooks = {});

/// The rollout of a run's attention, by the heads that are not ablated. [query, key]
Result<std::vector<double>> attentionRollout(engine::Engine& engine, const engine::RunRequest& request,
                                             const Hooks& hooks = {});

/// The heads of two runs, each on its own engine; `tokens` as for `compareHeads`.
Result<Comparison> compareRuns(engine::Engine& first, const engine::RunRequest& firstRequest,
                               engine::Engine& second, const engine::RunRequest& secondRequest,
                               const stats::TokenPairs& tokens = {}, const Hooks& hooks = {});

}  // namespace hs::analyses
