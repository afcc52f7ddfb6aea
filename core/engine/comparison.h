#pragma once

#include "analysis/head_stats.h"
#include "analysis/model_summary.h"
#include "analysis/pattern_distance.h"
#include "base/head_id.h"
#include "engine/run_result.h"

#include <array>
#include <functional>
#include <vector>

namespace hs {

/// The same head in two models.
struct HeadPair {
    HeadId head;
    HeadStats first;
    HeadStats second;
    PatternDistance distance;
};

/// What tells two models' heads apart on one prompt.
struct Comparison {
    ModelSummary first;
    ModelSummary second;
    std::vector<HeadPair> pairs;  // heads that both have, what changed most first; none where the
                                  // models cut the prompt into different tokens
};

/// A head's pattern in the first and in the second model. [query, key]
using PatternsOf = std::function<std::array<const float*, 2>(HeadId)>;

/// Compares two runs; `patterns` is asked for each head that both have, layer by layer.
Comparison compareHeads(const RunResult& first, const RunResult& second, const PatternsOf& patterns);

/// The same for runs that hold their full maps.
Comparison compareHeads(const RunResult& first, const RunResult& second);

}  // namespace hs
