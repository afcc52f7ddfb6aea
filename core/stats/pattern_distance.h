#pragma once

namespace hs::stats {

/// How far two heads' patterns over the same tokens are apart, as means over the rows. A row's missing
/// mass, which a gate leaves, counts as looking nowhere: so every row is a distribution.
struct PatternDistance {
    double totalVariation = 0;  // half the sum of differences, 0..1
    double jensenShannon = 0;   // divergence in nats, 0..ln 2

    friend bool operator==(const PatternDistance&, const PatternDistance&) = default;
};

PatternDistance patternDistance(const float* first,  // [query, key]
                                const float* second, int length);

}  // namespace hs::stats
