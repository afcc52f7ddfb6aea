#include "stats/correlation.h"

#include "support/catch.h"

#include <cmath>
#include <numeric>
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

double byDefinition(const std::vector<float>& first, const std::vector<float>& second)
{
    const auto size = static_cast<double>(first.size());
    const double firstMean = std::accumulate(first.begin(), first.end(), 0.0) / size;
    const double secondMean = std::accumulate(second.begin(), second.end(), 0.0) / size;
    double together = 0, firstAlone = 0, secondAlone = 0;
    for (std::size_t cell = 0; cell < first.size(); ++cell) {
        together += (first[cell] - firstMean) * (second[cell] - secondMean);
        firstAlone += std::pow(first[cell] - firstMean, 2);
        secondAlone += std::pow(second[cell] - secondMean, 2);
    }
    return together / std::sqrt(firstAlone * secondAlone);
}

}  // namespace

TEST_CASE("weights correlate with themselves at 1 and with their negative at -1, however stretched")
{
    for (const std::size_t count : {2u, 10u, 100000u}) {
        const std::vector<float> weights = randomWeights(count, 1);
        CHECK(stats::correlation(weights, weights) == Approx(1));
        CHECK(stats::correlation(weights, changed(weights, -1, 0)) == Approx(-1));
        CHECK(stats::correlation(weights, changed(weights, 0.25f, 3)) == Approx(1));
        CHECK(std::abs(stats::correlation(weights, weights)) <= 1);
    }
}

TEST_CASE("a correlation does not depend on the order of its variables and is what its definition says")
{
    const std::vector<float> first = {0, 1, 2, 3};
    const std::vector<float> second = {1, 0, 4, 3};
    CHECK(stats::correlation(first, second) == Approx(5 / std::sqrt(5.0 * 10.0)));
    CHECK(stats::correlation(first, second) == stats::correlation(second, first));
    CHECK(std::abs(stats::correlation(randomWeights(100000, 1), randomWeights(100000, 2))) < 0.02);
}

TEST_CASE("every two of many variables correlate as by themselves, however small or long they are")
{
    for (const std::size_t count : {3u, 511u, 512u, 513u, 5000u}) {
        std::vector<std::vector<float>> weights;
        for (unsigned seed = 0; seed < 5; ++seed)
            weights.push_back(changed(randomWeights(count, seed), seed == 3 ? 1e-30f : 1, 0));
        weights.emplace_back(count, 0.5f);
        const std::vector<double> all =
            stats::correlations(std::vector<std::span<const float>>(weights.begin(), weights.end()));
        for (std::size_t row = 0; row < 5; ++row)
            for (std::size_t column = 0; column < 5; ++column) {
                CAPTURE(count, row, column);
                CHECK(all[row * 6 + column] ==
                      Approx(byDefinition(weights[row], weights[column])).margin(1e-6));
                CHECK(all[row * 6 + column] == all[column * 6 + row]);
            }
        CHECK(std::isnan(all[5]));
        CHECK(std::isnan(all[35]));
    }
}

TEST_CASE("correlations stop when they are told to")
{
    const std::vector<float> weights = randomWeights(100, 1);
    const std::span<const float> both[] = {weights, weights};
    std::stop_source source;
    source.request_stop();
    CHECK_THROWS_AS(stats::correlations(both, {{}, source.get_token()}), Failure);
}

TEST_CASE("what is constant, empty or of another length correlates with nothing")
{
    const std::vector<float> weights = {0.1f, 0.2f, 0.4f};
    CHECK(std::isnan(stats::correlation(weights, std::vector<float>(3, 0.3f))));
    CHECK(std::isnan(stats::correlation(std::vector<float>(3, 0.1f), weights)));
    CHECK(std::isnan(stats::correlation({}, {})));
    CHECK(std::isnan(stats::correlation(weights, std::vector<float>{0.1f, 0.2f})));
}

TEST_CASE("causal weights are those on and below the diagonal, rows in turn")
{
    const float pattern[] = {
        1, -1, -1,  //
        2, 3,  -1,  //
        4, 5,  6,
    };
    CHECK(stats::visibleWeights(pattern, 3) == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(stats::visibleWeights(pattern, 1) == std::vector<float>{1});
    CHECK(stats::visibleWeights(pattern, 0).empty());
}
