#include "stats/rank_correlation.h"
#include "support/catch.h"

#include <cmath>
#include <vector>

using hs::stats::rankCorrelation;

TEST_CASE("ranks correlate fully wherever the order is the same, whatever the values")
{
    const std::vector<double> values = {-3, 0.5, 0.25, 100, 7};
    std::vector<double> cubes, falling;
    for (const double value : values) {
        cubes.push_back(value * value * value);
        falling.push_back(-std::exp(value / 50));
    }
    CHECK(rankCorrelation(values, cubes) == Approx(1));
    CHECK(rankCorrelation(values, falling) == Approx(-1));
}

TEST_CASE("equal values share a rank, and a constant has no correlation")
{
    // scipy.stats.spearmanr([1, 2, 2, 3], [1, 3, 2, 4])
    CHECK(rankCorrelation(std::vector<double>{1, 2, 2, 3}, std::vector<double>{1, 3, 2, 4}) ==
          Approx(0.9486832980505138));
    CHECK(std::isnan(rankCorrelation(std::vector<double>{1, 1, 1}, std::vector<double>{1, 2, 3})));
}
