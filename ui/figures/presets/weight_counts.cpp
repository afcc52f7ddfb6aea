#include "figures/presets/weight_counts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace hs::figures {
namespace {

constexpr std::size_t kBlock = 256;  // cells whose bins are computed together
constexpr std::size_t kCounters =
    4;  // per bin: most weights are near 0, and a single counter would be a bottleneck

int binOf(float weight, int bins)
{
    // Also handles NaN, which fails every comparison.
    const float within = weight > 0 ? weight : 0;
    return static_cast<int>(std::min(within * static_cast<float>(bins), static_cast<float>(bins - 1)));
}

}  // namespace

std::vector<int> countWeights(std::span<const float> weights, int bins)
{
    std::vector<int> counts(static_cast<std::size_t>(bins));
    for (const float weight : weights)
        ++counts[static_cast<std::size_t>(binOf(weight, bins))];
    return counts;
}

std::vector<int> countPairs(std::span<const float> x, std::span<const float> y, int bins)
{
    const auto side = static_cast<std::size_t>(bins);
    const std::size_t cells = std::min(x.size(), y.size());
    std::vector<std::array<int, kCounters>> counters(side * side);
    std::array<int, kBlock> places{};
    for (std::size_t first = 0; first < cells; first += kBlock) {
        const std::size_t count = std::min(kBlock, cells - first);
        for (std::size_t cell = 0; cell < count; ++cell)
            places[cell] = binOf(y[first + cell], bins) * bins + binOf(x[first + cell], bins);
        for (std::size_t cell = 0; cell < count; ++cell)
            ++counters[static_cast<std::size_t>(places[cell])][cell % kCounters];
    }
    std::vector<int> counts;
    for (const std::array<int, kCounters>& own : counters)
        counts.push_back(std::accumulate(own.begin(), own.end(), 0));
    return counts;
}

}  // namespace hs::figures
