#pragma once

#include "base/head_id.h"
#include "engine/request/run_result.h"
#include "stats/head_stats.h"
#include "stats/model_summary.h"
#include "stats/pattern_distance.h"

#include <array>
#include <functional>
#include <vector>

namespace hs::analyses {

/// The same head in two models.
struct HeadPair {
    HeadId head;
    stats::HeadStats first;
    stats::HeadStats second;
    stats::PatternDistance distance;
};

/// How two models' heads differ on one prompt.
struct Comparison {
    stats::ModelSummary first;
    stats::ModelSummary second;
    std::vector<HeadPair>
        pairs;     // those that changed most first; none if the models have different numbers of
                   // layers or heads, or the texts no token in common
    int rows = 0;  // whose patterns were held against each other: all, unless texts are different
};

/// How far the heads of a layer are from their counterparts.
struct LayerChange {
    double mean = 0;
    double largest = 0;
    HeadId farthest;  // the head that is so far
};

/// [layer]; none if there are no pairs.
std::vector<LayerChange> changesByLayer(const std::vector<HeadPair>& pairs,
                                        double stats::PatternDistance::* distance);

/// A head's pattern in the first and in the second model. [query, key]
using PatternsOf = std::function<std::array<const float*, 2>(HeadId)>;

/// Compares two runs; `patterns` is asked for each head of a pair, layer by layer. Runs of different tokens are compared
/// over those that stand for each other.
Comparison compareHeads(const engine::RunResult& first, const engine::RunResult& second,
                        const stats::TokenPairs& tokens, const PatternsOf& patterns);

/// The same for runs of the same tokens that hold their full maps.
Comparison compareHeads(const engine::RunResult& first, const engine::RunResult& second);

}  // namespace hs::analyses
