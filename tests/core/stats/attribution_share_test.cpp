#include "stats/attribution_share.h"
#include "support/catch.h"

#include <algorithm>

using namespace hs;

TEST_CASE("contributions are ranked by size, equal ones in their order")
{
    const std::vector<double> values = {0.5, -3, 0, 3, 1};
    CHECK(stats::rankByMagnitude(values) == std::vector<std::size_t>{1, 3, 4, 0, 2});
}

TEST_CASE("the cumulative mass rises to one, fastest first")
{
    const std::vector<double> mass = stats::cumulativeMass(std::vector<double>{1, -4, 3, 0, 2});
    REQUIRE(mass.size() == 5);
    CHECK(mass[0] == Approx(0.4));
    CHECK(mass[1] == Approx(0.7));
    CHECK(mass[2] == Approx(0.9));
    CHECK(mass[3] == Approx(1));
    CHECK(mass[4] == 1);
    CHECK(stats::cumulativeMass(std::vector<double>{}).empty());
    CHECK(stats::cumulativeMass(std::vector<double>{0, 0}) == std::vector<double>{0, 0});
}

TEST_CASE("the smallest set reaches the share and no smaller one does")
{
    const std::vector<double> values = {1, -4, 3, 0, 2};
    CHECK(stats::smallestReaching(values, 0.4) == std::vector<std::size_t>{1});
    CHECK(stats::smallestReaching(values, 0.41) == std::vector<std::size_t>{1, 2});
    CHECK(stats::smallestReaching(values, 0.9) == std::vector<std::size_t>{1, 2, 4});
    CHECK(stats::smallestReaching(values, 1) == std::vector<std::size_t>{1, 2, 4, 0});
    CHECK(stats::smallestReaching(values, 0).empty());
    CHECK(stats::smallestReaching(std::vector<double>{}, 0.8).empty());
    CHECK(stats::smallestReaching(std::vector<double>{0, 0}, 0.8).empty());
    // Ten tenths do not sum to one in floating point, and yet are all there is.
    CHECK(stats::smallestReaching(std::vector<double>(10, 0.1), 1).size() == 10);
}

TEST_CASE("a curve has every count of a few, and of many those where it bends")
{
    CHECK(stats::curveCounts(0, 64).empty());
    CHECK(stats::curveCounts(1, 64) == std::vector<int>{1});
    CHECK(stats::curveCounts(5, 64) == std::vector<int>{1, 2, 3, 4, 5});
    const std::vector<int> many = stats::curveCounts(1000, 64, 1.5);
    CHECK(many.front() == 1);
    CHECK(many.back() == 1000);
    CHECK(many.size() < 30);
    CHECK(std::adjacent_find(many.begin(), many.end(), std::greater_equal<>()) == many.end());
}
