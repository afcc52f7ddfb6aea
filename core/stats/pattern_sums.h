#pragma once

namespace hs::stats {

/// What a head's statistics are made of: sums over the rows of its pattern, with the gate applied.
template <class Number>
struct PatternSumsOf {
    Number previous = 0;           // P[i, i-1]
    Number current = 0;            // P[i, i]
    Number first = 0;              // P[i, 0], i >= 1
    Number duplicate = 0;          // P[i, j], j < i with the same token
    Number induction = 0;          // P[i, j + 1], j < i with the same token
    Number entropy = 0;            // of each row, in nats
    Number entropyNormalized = 0;  // of each row i >= 1, over ln(i + 1)
    Number peak = 0;               // the row's largest weight
    Number mass = 0;               // P[i, j]
    Number distance = 0;           // P[i, j] (i - j)
    Number open = 0;               // cells that the gate leaves open, of those a query may look at
    Number above = 0;              // cells above the threshold
    Number aboveHalf = 0;          // cells above 1/2 off the diagonal
};

using PatternSums = PatternSumsOf<double>;

}  // namespace hs::stats
