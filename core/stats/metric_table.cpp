#include "stats/metric_table.h"

#include <array>

namespace hs::stats {
namespace {

template <auto Member>
constexpr Metric metric(std::string_view name)
{
    return {name, [](const HeadStats& stats) { return static_cast<double>(stats.*Member); }};
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

}  // namespace hs::stats
