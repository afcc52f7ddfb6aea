#include "stats/model_summary.h"

#include "stats/head_summary.h"

#include <cmath>
#include <limits>

namespace hs::stats {
namespace {

constexpr double kNotThere = std::numeric_limits<double>::quiet_NaN();

/// The mean of the values that are known.
class Mean {
public:
    void add(double value)
    {
        if (std::isnan(value))
            return;
        m_sum += value;
        ++m_count;
    }
    double value() const { return m_count > 0 ? m_sum / m_count : kNotThere; }

private:
    double m_sum = 0;
    int m_count = 0;
};

}  // namespace

ModelSummary summarize(std::span<const HeadStats> heads)
{
    Mean dominance, peak, diagonal, density;
    ModelSummary summary;
    for (const HeadStats& head : heads) {
        if (!isHead(head))
            continue;
        ++summary.heads;
        dominance.add(isDiagonalDominant(head) ? 1 : 0);
        peak.add(head.peak);
        diagonal.add(head.currentToken);
        density.add(head.density);
        summary.offDiagonalAboveHalf += head.offDiagonalAboveHalf;
        summary.headsRetained += head.densityAbove > 0;
    }
    summary.diagonalDominance = dominance.value();
    summary.meanPeak = peak.value();
    summary.diagonalIntensity = diagonal.value();
    summary.activeEdges = density.value();
    return summary;
}

bool isDiagonalDominant(const HeadStats& head)
{
    return head.currentToken > 0.5 * head.peak;
}

double reduction(double before, double after)
{
    return before > 0 && std::isfinite(before) ? 1 - after / before : kNotThere;
}

}  // namespace hs::stats
