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

/// Adds up the distances of rows, cell by cell.
class RowDistance {
public:
    void add(double p, double q)
    {
        m_apart += std::abs(p - q);
        m_divergence += divergence(p, q);
        m_firstRest -= p;
        m_secondRest -= q;
    }

    void endRow(PatternDistance& sum)
    {
        const double p = std::max(0.0, m_firstRest);
        const double q = std::max(0.0, m_secondRest);
        // Rows of floats may sum to a little more than one.
        sum.totalVariation += std::min(1.0, 0.5 * (m_apart + std::abs(p - q)));
        sum.jensenShannon += m_divergence + divergence(p, q);
        *this = {};
    }

private:
    double m_apart = 0;
    double m_divergence = 0;
    double m_firstRest = 1;
    double m_secondRest = 1;
};

}  // namespace

PatternDistance patternDistance(const float* first, const float* second, const PatternShape& shape)
{
    PatternDistance sum;
    RowDistance distance;
    for (int query = 0; query < shape.queries; ++query) {
        const std::size_t row = shape.indexOf(query, 0);
        for (int key = 0; key < shape.keysOf(query); ++key)
            distance.add(first[row + key], second[row + key]);
        distance.endRow(sum);
    }
    return {sum.totalVariation / shape.queries, sum.jensenShannon / shape.queries};
}

PatternDistance patternDistance(const float* first, const PatternShape& firstShape, const float* second,
                                const PatternShape& secondShape, const TokenPairs& pairs)
{
    PatternDistance sum;
    RowDistance distance;
    const auto at = [](const float* map, const PatternShape& shape, int query, int key) {
        return shape.contains(query, key) ? map[shape.indexOf(query, key)] : 0.f;
    };
    for (const PositionPair& query : pairs.queries) {
        for (const PositionPair& key : pairs.keys)
            distance.add(at(first, firstShape, query.first, key.first),
                         at(second, secondShape, query.second, key.second));
        distance.endRow(sum);
    }
    const auto rows = static_cast<double>(pairs.queries.size());
    return {sum.totalVariation / rows, sum.jensenShannon / rows};
}

}  // namespace hs::stats
