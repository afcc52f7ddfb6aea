#pragma once

#include "analysis/head_stats.h"
#include "analysis/model_summary.h"
#include "analysis/pattern_distance.h"
#include "base/head_id.h"

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

}  // namespace hs
