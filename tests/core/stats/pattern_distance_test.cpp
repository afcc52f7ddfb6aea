#include "stats/pattern_distance.h"

#include "support/catch.h"

#include <cmath>
#include <vector>

using namespace hs;

TEST_CASE("a pattern is at no distance from itself")
{
    const std::vector<float> pattern = {1, 0, 0.25f, 0.75f};
    CHECK(stats::patternDistance(pattern.data(), pattern.data(), 2) == stats::PatternDistance{});
}

TEST_CASE("patterns that look at different keys are as far apart as can be")
{
    const std::vector<float> first = {1, 0, 1, 0};
    const std::vector<float> second = {1, 0, 0, 1};
    const stats::PatternDistance distance = stats::patternDistance(first.data(), second.data(), 2);
    CHECK(distance.totalVariation == Approx(0.5));  // the first row is the same
    CHECK(distance.jensenShannon == Approx(0.5 * std::log(2)));
}

TEST_CASE("what a gate takes away counts as looking nowhere")
{
    const std::vector<float> open = {1};
    const std::vector<float> half = {0.5f};
    const std::vector<float> shut = {0};
    CHECK(stats::patternDistance(open.data(), shut.data(), 1).totalVariation == Approx(1));
    CHECK(stats::patternDistance(open.data(), shut.data(), 1).jensenShannon == Approx(std::log(2)));
    CHECK(stats::patternDistance(open.data(), half.data(), 1).totalVariation == Approx(0.5));
    CHECK(stats::patternDistance(shut.data(), shut.data(), 1).jensenShannon == Approx(0));
}

TEST_CASE("distances are the same both ways")
{
    const std::vector<float> first = {1, 0, 0.3f, 0.6f};
    const std::vector<float> second = {0.2f, 0, 0.1f, 0.1f};
    const stats::PatternDistance there = stats::patternDistance(first.data(), second.data(), 2);
    const stats::PatternDistance back = stats::patternDistance(second.data(), first.data(), 2);
    CHECK(there.totalVariation == Approx(back.totalVariation));
    CHECK(there.jensenShannon == Approx(back.jensenShannon));
}
