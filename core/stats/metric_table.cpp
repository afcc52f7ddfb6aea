#include "stats/metric_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace hs::stats {
namespace {

template <auto Member>
constexpr Metric metric(std::string_view name)
{
    return {name, [](const HeadStats& stats) { return static_cast<double>(stats.*Member); },
            [](HeadStats& stats, double value) {
                if constexpr (std::is_integral_v<std::remove_reference_t<decltype(stats.*Member)>>)
                    stats.*Member = std::isfinite(value) ? std::llround(value) : 0;
                else
                    stats.*Member = value;
            }};
}

}  // namespace

std::span<const Metric> allMetrics()
{
    static constexpr std::array<Metric, 12> kMetrics = {{
        metric<&HeadStats::previousToken>("previous_token"),
        metric<&HeadStats::currentToken>("current_token"),
        metric<&HeadStats::firstToken>("first_token"),
        metric<&HeadStats::duplicateToken>("duplicate_token"),
        metric<&HeadStats::induction>("induction"),
        metric<&HeadStats::entropy>("entropy"),
        metric<&HeadStats::entropyNormalized>("entropy_normalized"),
        metric<&HeadStats::peak>("peak"),
        metric<&HeadStats::meanDistance>("mean_distance"),
        metric<&HeadStats::density>("density"),
        metric<&HeadStats::densityAbove>("density_above"),
        metric<&HeadStats::offDiagonalAboveHalf>("off_diagonal_above_half"),
    }};
    return kMetrics;
}

const Metric* findMetric(std::string_view name)
{
    const auto found = std::ranges::find(allMetrics(), name, &Metric::name);
    return found == allMetrics().end() ? nullptr : &*found;
}

}  // namespace hs::stats
