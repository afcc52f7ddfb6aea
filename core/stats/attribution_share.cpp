#include "stats/attribution_share.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hs::stats {

std::vector<std::size_t> rankByMagnitude(std::span<const double> contributions)
{
    std::vector<std::size_t> order(contributions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::abs(contributions[a]) > std::abs(contributions[b]);
    });
    return order;
}

std::vector<double> cumulativeMass(std::span<const double> contributions)
{
    std::vector<double> mass;
    double sum = 0;
    for (const std::size_t index : rankByMagnitude(contributions))
        mass.push_back(sum += std::abs(contributions[index]));
    for (double& value : mass)
        value = sum > 0 ? value / sum : 0;
    return mass;
}

std::vector<std::size_t> smallestReaching(std::span<const double> contributions, double share)
{
    std::vector<std::size_t> order = rankByMagnitude(contributions);
    const std::vector<double> mass = cumulativeMass(contributions);
    if (mass.empty() || mass.back() == 0 || share <= 0)
        return {};
    // Sums are rounded: a share of 1 counts as reached where only noise is missing.
    static constexpr double kRounding = 1e-12;
    const auto reached =
        std::find_if(mass.begin(), mass.end(), [&](double value) { return value >= share - kRounding; });
    order.resize(std::min<std::size_t>(reached - mass.begin() + 1, order.size()));
    return order;
}

std::vector<int> curveCounts(int total, int allUpTo, double step)
{
    std::vector<int> counts;
    for (int count = 1; count < total;) {
        counts.push_back(count);
        count = total <= allUpTo ? count + 1 : std::max(count + 1, static_cast<int>(count * step));
    }
    if (total > 0)
        counts.push_back(total);
    return counts;
}

}  // namespace hs::stats
