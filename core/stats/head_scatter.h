#pragma once

#include "base/head_id.h"
#include "base/hooks.h"
#include "stats/pattern_shape.h"

#include <cstddef>
#include <vector>

namespace hs::stats {

/// Weights of some heads over the same cells, and which of them are alike.
struct HeadScatter {
    PatternShape pattern;
    std::vector<HeadId> heads;
    std::vector<std::vector<float>> weights;  // [head][cell that its query sees], row by row
    std::vector<double> correlations;         // [head, head]; NaN where one is constant
    std::vector<int> clusters;                // [head] number of its cluster; 0 is the largest

    double correlation(std::size_t row, std::size_t column) const
    {
        return correlations[row * heads.size() + column];
    }
};

/// Fails if that many heads over such patterns have more weights than can be held at once.
void checkScatterSize(std::size_t heads, const PatternShape& shape);

/// Correlates every pair and joins heads into clusters, by average linkage, as long as the mean
/// correlation between two clusters is at least `alike`.
HeadScatter scatterOf(const PatternShape& shape, std::vector<HeadId> heads,
                      std::vector<std::vector<float>> weights, const Hooks& hooks = {}, double alike = 0.8);

}  // namespace hs::stats
