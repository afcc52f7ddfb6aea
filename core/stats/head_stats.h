#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hs::stats {

/// What one head's pattern looks like in numbers. Means over an empty set of cells are NaN (a
/// prompt without a repeated token has no induction score), and so is what compares a query's place with a
/// key's where keys are other tokens than queries.
struct HeadStats {
    double previousToken = 0;   // mean P[i, i-1]
    double currentToken = 0;    // mean P[i, i]
    double firstToken = 0;      // mean P[i, 0], i >= 1; all i if not causal
    double duplicateToken = 0;  // mean P[i, j], j < i with the same token
    double induction = 0;       // mean P[i, j + 1], j < i with the same token
    double entropy = 0;         // mean over rows of -sum p ln p, in nats
    double entropyNormalized =
        0;            // mean over rows i >= 1 of entropy / ln(i + 1); all rows and ln(keys) if not causal
    double peak = 0;  // mean of row maxima
    double meanDistance = 0;                // sum P |i - j| / sum P
    double density = 0;                     // share of the cells that queries see whose edge is active
    double densityAbove = 0;                // share of them above the threshold
    std::int64_t offDiagonalAboveHalf = 0;  // cells with P > 0.5, a square pattern's diagonal left out

    friend bool operator==(const HeadStats&, const HeadStats&) = default;
};

}  // namespace hs::stats
