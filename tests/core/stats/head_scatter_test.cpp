#include "stats/head_scatter.h"

#include "support/catch.h"

#include <cmath>

using namespace hs;

namespace {

/// Six cells of three tokens: two heads that look alike, one that does the opposite, one constant.
stats::HeadScatter fourHeads()
{
    return stats::scatterOf(3, {{0, 0}, {0, 1}, {1, 0}, {1, 1}},
                            {{1, 0, 1, 0, 0, 1},
                             {0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f},
                             {0.5f, 0, 0.5f, 0, 0, 0.5f},
                             {0, 1, 0, 1, 1, 0}});
}

}  // namespace

TEST_CASE("each pair of heads has its correlation")
{
    const stats::HeadScatter scatter = fourHeads();
    CHECK(scatter.pattern == stats::PatternShape(3));
    CHECK(scatter.correlation(0, 0) == Approx(1));
    CHECK(scatter.correlation(0, 2) == Approx(1));
    CHECK(scatter.correlation(0, 3) == Approx(-1));
    for (std::size_t head = 0; head < 4; ++head) {
        CHECK(std::isnan(scatter.correlation(1, head)));
        for (std::size_t other = 0; other < 4; ++other)
            CHECK((scatter.correlation(head, other) == scatter.correlation(other, head) ||
                   std::isnan(scatter.correlation(head, other))));
    }
}

TEST_CASE("heads that are alike share a cluster, the largest is 0, others count up by their first head")
{
    CHECK(fourHeads().clusters == std::vector<int>{0, 1, 0, 2});
}

TEST_CASE("constant heads are alike to none, not even to each other")
{
    const stats::HeadScatter scatter = stats::scatterOf(1, {{0, 0}, {0, 1}}, {{1}, {1}});
    CHECK(scatter.clusters == std::vector<int>{0, 1});
    CHECK(stats::scatterOf(1, {}, {}).clusters.empty());
}

TEST_CASE("clusters join by the mean over their pairs, not by the best pair")
{
    // b is between a and c: r(a, b) = r(b, c) = 0.5, r(a, c) = -0.5.
    const std::vector<std::vector<float>> weights = {{2, -1, -1}, {1, 1, -2}, {-1, 2, -1}};
    const std::vector<HeadId> heads = {{0, 0}, {0, 1}, {0, 2}};
    const stats::HeadScatter scatter = stats::scatterOf(2, heads, weights, {}, 0.4);
    CHECK(scatter.correlation(0, 1) == Approx(0.5));
    CHECK(scatter.correlation(1, 2) == Approx(0.5));
    CHECK(scatter.correlation(0, 2) == Approx(-0.5));
    CHECK(scatter.clusters == std::vector<int>{0, 0, 1});  // the mean of 0.5 and -0.5 is 0
    CHECK(stats::scatterOf(2, heads, weights, {}, -0.1).clusters == std::vector<int>{0, 0, 0});
    CHECK(stats::scatterOf(2, heads, weights, {}, 0.6).clusters == std::vector<int>{0, 1, 2});
}

TEST_CASE("more weights than can be held at once are refused with what to do")
{
    CHECK_NOTHROW(stats::checkScatterSize(32, 3'500));
    CHECK_THROWS_WITH(stats::checkScatterSize(1'024, 1'000),
                      "The weights of 1,024 heads over 1,000 tokens are too many to compare; choose fewer "
                      "heads or shorten the prompt.");
}
