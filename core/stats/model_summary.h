#pragma once

#include "stats/head_stats.h"

#include <cstdint>
#include <span>

namespace hs::stats {

/// What all heads of a run look like together. Means and shares over no heads are NaN; a head whose
/// value is not known is left out of that mean.
struct ModelSummary {
    double diagonalDominance = 0;  // share of heads with more than half of their peak on the diagonal
    double meanPeak = 0;
    double diagonalIntensity = 0;           // mean weight on the diagonal
    double activeEdges = 0;                 // mean share of the cells that queries see whose edge is active
    std::int64_t offDiagonalAboveHalf = 0;  // cells with a weight above 0.5, diagonals left out
    int headsRetained = 0;                  // heads with any weight above the run's threshold
    int heads = 0;

    friend bool operator==(const ModelSummary&, const ModelSummary&) = default;
};

ModelSummary summarize(std::span<const HeadStats> heads);

/// Whether more than half of a head's mean peak is on the diagonal.
bool isDiagonalDominant(const HeadStats& head);

/// The share by which `after` is less than `before`: 0.62 for 0.68 and 0.26, negative if it is more. NaN
/// where one is not known or there was nothing to reduce.
double reduction(double before, double after);

}  // namespace hs::stats
