#include "analysis/metric_table.h"

#include <array>

namespace hs {

std::span<const Metric> allMetrics()
{
    static constexpr std::array<Metric, 12> kMetrics = {{
        {"previous_token", [](const HeadStats& stats) { return stats.previousToken; }},
        {"current_token", [](const HeadStats& stats) { return stats.currentToken; }},
        {"first_token", [](const HeadStats& stats) { return stats.firstToken; }},
        {"duplicate_token", [](const HeadStats& stats) { return stats.duplicateToken; }},
        {"induction", [](const HeadStats& stats) { return stats.induction; }},
        {"entropy", [](const HeadStats& stats) { return stats.entropy; }},
        {"entropy_normalized", [](const HeadStats& stats) { return stats.entropyNormalized; }},
        {"peak", [](const HeadStats& stats) { return stats.peak; }},
        {"mean_distance", [](const HeadStats& stats) { return stats.meanDistance; }},
        {"density", [](const HeadStats& stats) { return stats.density; }},
        {"density_above", [](const HeadStats& stats) { return stats.densityAbove; }},
        {"off_diagonal_above_half",
         [](const HeadStats& stats) { return double(stats.offDiagonalAboveHalf); }},
    }};
    return kMetrics;
}

}  // namespace hs
