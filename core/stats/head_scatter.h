#pragma once

#include "base/head_id.h"
#include "base/hooks.h"

#include <cstddef>
#include <vector>

namespace hs::stats {

/// Weights of some heads over the same causal cells, and which of them are alike.
struct HeadScatter {
    int tokens = 0;
    std::vector<HeadId> heads;
    std::vector<std::vector<float>> weights;  // [head][causal cell], row by row
    std::vector<double> correlations;         // [head, head]; NaN where one is constant
    std::vector<int> clusters;                // [head] number of its cluster; 0 is the largest

    double correlation(std::size_t row, std::size_t column) const
    {
        return correlations[row * heads.size() + column];
    }
};

/// Fails if that many heads over that many tokens have more weights than can be held at once.
void checkScatterSize(std::size_t heads, std::size_t tokens);

/// Correlates every pair and joins heads into clusters, by average linkage, as long as the mean
/// correlation between two clusters is at least `alike`.
HeadScatter scatterOf(int tokens, std::vector<HeadId> heads, std::vector<std::vector<float>> weights,
                      const Hooks& hooks = {}, double alike = 0.8);

}  // namespace hs::stats
