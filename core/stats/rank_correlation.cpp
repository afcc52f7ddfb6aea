#include "stats/rank_correlation.h"

#include "stats/correlation.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace hs::stats {
namespace {

std::vector<float> ranksOf(std::span<const double> values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t index) { return values[index]; });
    std::vector<float> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first;
        while (end < order.size() && values[order[end]] == values[order[first]])
            ++end;
        for (std::size_t at = first; at < end; ++at)
            ranks[order[at]] = static_cast<float>(first + end - 1) / 2;
        first = end;
    }
    return ranks;
}

}  // namespace

double rankCorrelation(std::span<const double> first, std::span<const double> second)
{
    return correlation(ranksOf(first), ranksOf(second));
}

}  // namespace hs::stats
