#pragma once

#include "stats/pattern_shape.h"

#include <vector>

namespace hs::stats {

/// Attention rollout: how much of each token below the first layer stands in each position above the last, if heads
/// were averaged and half of every position went past its layer. A layer is (mean of its heads + I) / 2, its rows scaled
/// to a sum of 1, which a gate may have taken something of; the rollout is the product of the layers.
class AttentionRollout {
public:
    /// Fails for keys that are not the queries' tokens: what one layer moves, the next cannot take up.
    explicit AttentionRollout(const PatternShape& shape);

    /// Adds the next layer, from its heads' patterns; none: it moves nothing. Each [query, key]
    void addLayer(const std::vector<const float*>& heads);

    const std::vector<double>& weights() const { return m_weights; }  // [query, key]

private:
    PatternShape m_shape;
    std::vector<double> m_weights;
};

}  // namespace hs::stats
