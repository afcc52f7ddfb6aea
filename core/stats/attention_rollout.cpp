#include "stats/attention_rollout.h"

#include "base/failure.h"

#include <numeric>

namespace hs::stats {
namespace {

/// A row of (mean of the heads + I) / 2, with a sum of 1. [key]
std::vector<double> mixedRow(const std::vector<const float*>& heads, const PatternShape& shape, int query)
{
    std::vector<double> row(static_cast<std::size_t>(shape.keysOf(query)));
    for (std::size_t key = 0; key < row.size() && !heads.empty(); ++key) {
        for (const float* const head : heads)
            row[key] += head[shape.indexOf(query, static_cast<int>(key))];
        row[key] /= static_cast<double>(heads.size());
    }
    row[static_cast<std::size_t>(query)] += 1;
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& weight : row)
        weight /= sum;
    return row;
}

}  // namespace

AttentionRollout::AttentionRollout(const PatternShape& shape) : m_shape(shape), m_weights(shape.mapSize())
{
    if (!shape.isSquare())
        fail(ErrorCode::BadRequest,
             "A rollout follows tokens from layer to layer, and here queries and keys are different tokens; "
             "choose maps with as many keys as queries.");
    for (int token = 0; token < shape.queries; ++token)
        m_weights[shape.indexOf(token, token)] = 1;
}

void AttentionRollout::addLayer(const std::vector<const float*>& heads)
{
    std::vector<double> above(m_weights.size());
    for (int query = 0; query < m_shape.queries; ++query) {
        const std::vector<double> row = mixedRow(heads, m_shape, query);
        for (int through = 0; through < static_cast<int>(row.size()); ++through) {
            const double share = row[static_cast<std::size_t>(through)];
            if (share == 0)
                continue;
            for (int key = 0; key < m_shape.keysOf(through); ++key)
                above[m_shape.indexOf(query, key)] += share * m_weights[m_shape.indexOf(through, key)];
        }
    }
    m_weights = std::move(above);
}

}  // namespace hs::stats
