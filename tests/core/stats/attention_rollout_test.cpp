#include "stats/attention_rollout.h"

#include "support/catch.h"

#include <vector>

using namespace hs;

namespace {

using Map = std::vector<float>;  // [query, key], of three tokens

const Map kLast = {1, 0, 0, 0, 1, 0, 0, 0, 1};
const Map kFirst = {1, 0, 0, 1, 0, 0, 1, 0, 0};
const Map kPrevious = {1, 0, 0, 1, 0, 0, 0, 1, 0};

void requireRowsOfOne(const std::vector<double>& rollout, std::size_t tokens)
{
    for (std::size_t query = 0; query < tokens; ++query) {
        double sum = 0;
        for (std::size_t key = 0; key < tokens; ++key)
            sum += rollout[query * tokens + key];
        CHECK(sum == Approx(1));
    }
}

}  // namespace

TEST_CASE("the rollout of one layer is the mean of its heads, mixed half and half with the residual stream")
{
    stats::AttentionRollout rollout(3);
    rollout.addLayer({kFirst.data(), kPrevious.data()});
    CHECK(rollout.weights() == std::vector<double>{1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5});
}

TEST_CASE("the rollout of several layers is the product of theirs")
{
    stats::AttentionRollout rollout(3);
    rollout.addLayer({kPrevious.data()});
    rollout.addLayer({kPrevious.data()});
    CHECK(rollout.weights() == std::vector<double>{1, 0, 0, 0.75, 0.25, 0, 0.25, 0.5, 0.25});
    requireRowsOfOne(rollout.weights(), 3);
}

TEST_CASE("rows of a rollout sum to one, whatever a gate has closed and heads that look at themselves move")
{
    Map gated = kPrevious;
    gated[3] = 0.25f;
    gated[7] = 0;
    stats::AttentionRollout rollout(3);
    rollout.addLayer({gated.data()});
    CHECK(rollout.weights() == std::vector<double>{1, 0, 0, 0.2, 0.8, 0, 0, 0, 1});
    rollout.addLayer({kLast.data()});
    rollout.addLayer({});
    CHECK(rollout.weights() == std::vector<double>{1, 0, 0, 0.2, 0.8, 0, 0, 0, 1});
    requireRowsOfOne(rollout.weights(), 3);
}

TEST_CASE("a rollout follows bidirectional attention, but not attention to other tokens")
{
    const Map swapped = {0, 1, 1, 0};
    stats::AttentionRollout rollout({2, 2, false});
    rollout.addLayer({swapped.data()});
    CHECK(rollout.weights() == std::vector<double>{0.5, 0.5, 0.5, 0.5});
    CHECK_THROWS_WITH(stats::AttentionRollout({2, 3, false}),
                      "A rollout follows tokens from layer to layer, and here queries and keys are different "
                      "tokens; choose maps with as many keys as queries.");
}
