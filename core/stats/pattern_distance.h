#pragma once

#include "base/position_pair.h"
#include "stats/pattern_shape.h"

#include <vector>

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

/// The tokens of two patterns that stand for each other, in order along each axis.
struct TokenPairs {
    std::vector<PositionPair> queries;
    std::vector<PositionPair> keys;
};

/// The same for patterns over different tokens, as means over the rows of a pair. Keys without a counterpart count as
/// nowhere. At least one pair of queries.
PatternDistance patternDistance(const float* first, const PatternShape& firstShape, const float* second,
                                const PatternShape& secondShape, const TokenPairs& pairs);

}  // namespace hs::stats
