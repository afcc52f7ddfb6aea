#include "analysis/correlation.h"

#include "support/catch.h"

#include <cmath>
#include <random>
#include <vector>

using namespace hs;

namespace {

std::vector<float> randomWeights(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> share;
    std::vector<float> weights(count);
    for (float& weight : weights)
        weight = share(random);
    return weights;
}

std::vector<float> changed(std::vector<float> weights, float factor, float summand)
{
    for (float& weight : weights)
        weight = factor * weight + summand;
    return weights;
}

}  // namespace

TEST_CASE("weights correlate with themselves at 1 and with their negative at -1, however stretched")
{
    for (const std::size_t count : {2u, 10u, 100000u}) {
        const std::vector<float> weights = randomWeights(count, 1);
        CHECK(correlation(weights, weights) == Approx(1));
        CHECK(correlation(weights, changed(weights, -1, 0)) == Approx(-1));
        CHECK(correlation(weights, changed(weights, 0.25f, 3)) == Approx(1));
        CHECK(std::abs(correlation(weights, weights)) <= 1);
    }
}

TEST_CASE("a correlation does not depend on the order of its variables and is what its definition says")
{
    const std::vector<float> first = {0, 1, 2, 3};
    const std::vector<float> second = {1, 0, 4, 3};
    CHECK(correlation(first, second) == Approx(5 / std::sqrt(5.0 * 10.0)));
    CHECK(correlation(first, second) == correlation(second, first));
    CHECK(std::abs(correlation(randomWeights(100000, 1), randomWeights(100000, 2))) < 0.02);
}

TEST_CASE("what is constant, empty or of another length correlates with nothing")
{
    const std::vector<float> weights = {0.1f, 0.2f, 0.4f};
    CHECK(std::isnan(correlation(weights, std::vector<float>(3, 0.3f))));
    CHECK(std::isnan(correlation(std::vector<float>(3, 0.1f), weights)));
    CHECK(std::isnan(correlation({}, {})));
    CHECK(std::isnan(correlation(weights, std::vector<float>{0.1f, 0.2f})));
}

TEST_CASE("causal weights are those on and below the diagonal, rows in turn")
{
    const float pattern[] = {
        1, -1, -1,  //
        2, 3,  -1,  //
        4, 5,  6,
    };
    CHECK(causalWeights(pattern, 3) == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(causalWeights(pattern, 1) == std::vector<float>{1});
    CHECK(causalWeights(pattern, 0).empty());
}
