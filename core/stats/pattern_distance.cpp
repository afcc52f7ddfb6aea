#include "stats/pattern_distance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace hs::stats {
namespace {

/// What one outcome adds to the divergence of p and q from their mean.
double divergence(double p, double q)
{
    const double mean = 0.5 * (p + q);
    return 0.5 * ((p > 0 ? p * std::log(p / mean) : 0) + (q > 0 ? q * std::log(q / mean) : 0));
}

}  // namespace

PatternDistance patternDistance(const float* first, const float* second, const PatternShape& shape)
{
    PatternDistance sum;
    for (int query = 0; query < shape.queries; ++query) {
        const std::size_t row = shape.indexOf(query, 0);
        double firstRest = 1;
        double secondRest = 1;
        double apart = 0;
        for (int key = 0; key < shape.keysOf(query); ++key) {
            const double p = first[row + key];
            const double q = second[row + key];
            apart += std::abs(p - q);
            sum.jensenShannon += divergence(p, q);
            firstRest -= p;
            secondRest -= q;
        }
        const double p = std::max(0.0, firstRest);
        const double q = std::max(0.0, secondRest);
        // Rows of floats may sum to a little more than one.
        sum.totalVariation += std::min(1.0, 0.5 * (apart + std::abs(p - q)));
        sum.jensenShannon += divergence(p, q);
    }
    return {sum.totalVariation / shape.queries, sum.jensenShannon / shape.queries};
}

}  // namespace hs::stats
