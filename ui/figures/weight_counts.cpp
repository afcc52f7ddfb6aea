#include "figures/weight_counts.h"

#include <algorithm>
#include <cstddef>

namespace hs {
namespace {

std::size_t binOf(float weight, int bins)
{
    // Also for what is not a number, which fails every comparison.
    if (!(weight > 0))
        return 0;
    return static_cast<std::size_t>(
        std::min(weight * static_cast<float>(bins), static_cast<float>(bins - 1)));
}

}  // namespace

std::vector<int> countWeights(std::span<const float> weights, int bins)
{
    std::vector<int> counts(static_cast<std::size_t>(bins));
    for (const float weight : weights)
        ++counts[binOf(weight, bins)];
    return counts;
}

std::vector<int> countPairs(std::span<const float> x, std::span<const float> y, int bins)
{
    const auto side = static_cast<std::size_t>(bins);
    std::vector<int> counts(side * side);
    for (std::size_t cell = 0; cell < std::min(x.size(), y.size()); ++cell)
        ++counts[binOf(y[cell], bins) * side + binOf(x[cell], bins)];
    return counts;
}

}  // namespace hs
