#pragma once

#include "stats/pattern_shape.h"

namespace hs::stats {

/// How far apart two heads' patterns over the same tokens are, as means over the rows. Mass that a gate
/// has taken from a row counts as looking nowhere, so that every row is a distribution.
struct PatternDistance {
    double totalVariation = 0;  // half the sum of differences, 0..1
    double jensenShannon = 0;   // divergence in nats, 0..ln 2

    friend bool operator==(const PatternDistance&, const PatternDistance&) = default;
};

PatternDistance patternDistance(const float* first,  // [query, key]
                                const float* second, const PatternShape& shape);

}  // namespace hs::stats
