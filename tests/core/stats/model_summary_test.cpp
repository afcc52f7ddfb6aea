#include "stats/model_summary.h"

#include "support/catch.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace hs;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

stats::HeadStats headWith(double diagonal, double peak, double density, double densityAbove, int offDiagonal)
{
    stats::HeadStats head;
    head.currentToken = diagonal;
    head.peak = peak;
    head.density = density;
    head.densityAbove = densityAbove;
    head.offDiagonalAboveHalf = offDiagonal;
    return head;
}

}  // namespace

TEST_CASE("a model's figures are means, shares and sums over its heads")
{
    const stats::HeadStats heads[] = {
        headWith(0.9, 1.0, 1, 0.5, 0), headWith(0.2, 0.4, 1, 0.1, 3),  // exactly half is not more than half
        headWith(0.1, 0.6, 0.5, 0, 5), headWith(0, 0, 0, 0, 0),        // a head that is closed everywhere
    };
    const stats::ModelSummary summary = stats::summarize(heads);
    CHECK(summary.diagonalDominance == Approx(0.25));
    CHECK(summary.meanPeak == Approx(0.5));
    CHECK(summary.diagonalIntensity == Approx(0.3));
    CHECK(summary.activeEdges == Approx(0.625));
    CHECK(summary.offDiagonalAboveHalf == 8);
    CHECK(summary.headsRetained == 2);
    CHECK(summary.heads == 4);
}

TEST_CASE("a model that copies only itself is diagonal in every head, one that only looks back in none")
{
    const stats::HeadStats itself = headWith(1, 1, 1, 0.2, 0);
    const stats::HeadStats back = headWith(0.05, 0.95, 1, 0.2, 9);
    CHECK(stats::summarize(std::vector<stats::HeadStats>(7, itself)).diagonalDominance == 1);
    CHECK(stats::summarize(std::vector<stats::HeadStats>(7, back)).diagonalDominance == 0);
}

TEST_CASE("figures of no head are not known, and heads without a value are left out of its mean")
{
    const stats::ModelSummary none = stats::summarize({});
    CHECK(std::isnan(none.diagonalDominance));
    CHECK(std::isnan(none.meanPeak));
    CHECK(std::isnan(none.activeEdges));
    CHECK(none.headsRetained == 0);
    const stats::HeadStats heads[] = {headWith(0.5, kNone, 1, 1, 0), headWith(0.5, 0.8, 1, 1, 0)};
    CHECK(stats::summarize(heads).meanPeak == Approx(0.8));
    CHECK(stats::summarize(heads).diagonalDominance == Approx(0.5));
}

TEST_CASE("a reduction is the share that is gone")
{
    CHECK(stats::reduction(0.68, 0.26) == Approx(0.6176).epsilon(0.001));
    CHECK(stats::reduction(2, 2) == 0);
    CHECK(stats::reduction(2, 0) == 1);
    CHECK(stats::reduction(1, 1.4) == Approx(-0.4));
    CHECK(std::isnan(stats::reduction(0, 1)));
    CHECK(std::isnan(stats::reduction(kNone, 1)));
    CHECK(std::isnan(stats::reduction(1, kNone)));
}
