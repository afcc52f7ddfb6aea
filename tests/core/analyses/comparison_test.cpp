#include "analyses/comparison.h"

#include "support/catch.h"

#include <algorithm>

using namespace hs;

namespace {

/// A run over two tokens with each head's second row as given: its weights for the first and second key.
engine::RunResult runOf(const HeadShape& shape, const std::vector<std::array<float, 2>>& rows)
{
    engine::RunResult run;
    run.heads = shape;
    run.tokens = {7, 8};
    for (int layer = 0; layer < shape.layers; ++layer) {
        std::shared_ptr<float[]> maps(new float[static_cast<std::size_t>(shape.heads) * 4]);
        for (int head = 0; head < shape.heads; ++head) {
            const std::array<float, 2>& row = rows[static_cast<std::size_t>(shape.indexOf({layer, head}))];
            const float map[] = {1, 0, row[0], row[1]};
            std::copy_n(map, 4, maps.get() + 4 * head);
            stats::HeadStats stats;
            stats.peak = std::max(row[0], row[1]);
            stats.densityAbove = stats.peak;
            run.stats.push_back(stats);
        }
        run.maps.push_back(maps);
    }
    return run;
}

}  // namespace

TEST_CASE("heads are compared pair by pair, what changed most first")
{
    const engine::RunResult first = runOf({1, 3, 3}, {{0.5f, 0.5f}, {1, 0}, {0, 1}});
    const engine::RunResult second = runOf({1, 3, 3}, {{0.5f, 0.5f}, {0, 1}, {0, 0.5f}});
    const analyses::Comparison comparison = analyses::compareHeads(first, second);
    REQUIRE(comparison.pairs.size() == 3);
    CHECK(comparison.pairs[0].head == HeadId{0, 1});
    CHECK(comparison.pairs[0].distance.totalVariation == Approx(0.5));  // one row of two
    CHECK(comparison.pairs[1].head == HeadId{0, 2});
    CHECK(comparison.pairs[1].distance.totalVariation == Approx(0.25));
    CHECK(comparison.pairs[2].head == HeadId{0, 0});
    CHECK(comparison.pairs[2].distance == stats::PatternDistance{});
    CHECK(comparison.pairs[1].first == first.stats[2]);
    CHECK(comparison.pairs[1].second == second.stats[2]);
    CHECK(comparison.first == stats::summarize(first.stats));
    CHECK(comparison.second == stats::summarize(second.stats));
}

TEST_CASE("a layer has changed as much as its heads on average, and names the one that changed most")
{
    const std::vector<analyses::HeadPair> pairs = {{{1, 2}, {}, {}, {0.9, 0.1}},
                                                   {{0, 0}, {}, {}, {0.4, 0.3}},
                                                   {{0, 1}, {}, {}, {0.2, 0.5}},
                                                   {{1, 0}, {}, {}, {0.1, 0}}};
    const auto layers = analyses::changesByLayer(pairs, &stats::PatternDistance::totalVariation);
    REQUIRE(layers.size() == 2);
    CHECK(layers[0].mean == Approx(0.3));
    CHECK(layers[0].largest == 0.4);
    CHECK(layers[0].farthest == HeadId{0, 0});
    CHECK(layers[1].mean == Approx(0.5));
    CHECK(layers[1].farthest == HeadId{1, 2});
    CHECK(analyses::changesByLayer(pairs, &stats::PatternDistance::jensenShannon)[0].farthest ==
          HeadId{0, 1});
    CHECK(analyses::changesByLayer({}, &stats::PatternDistance::totalVariation).empty());
}

TEST_CASE("models of different shapes are summarised, and no head of one is paired with one of the other")
{
    const engine::RunResult small = runOf({1, 1, 1}, {{1, 0}});
    const engine::RunResult large = runOf({2, 2, 2}, {{1, 0}, {1, 0}, {1, 0}, {1, 0}});
    for (const analyses::Comparison& comparison :
         {analyses::compareHeads(small, large), analyses::compareHeads(large, small)})
        CHECK(comparison.pairs.empty());
    CHECK(analyses::compareHeads(small, large).second.heads == 4);
}

TEST_CASE("over different tokens no pattern is compared")
{
    const engine::RunResult first = runOf({1, 1, 1}, {{1, 0}});
    engine::RunResult second = first;
    second.tokens = {7, 9};
    const analyses::Comparison comparison =
        analyses::compareHeads(first, second, {}, [](HeadId) -> std::array<const float*, 2> { throw 1; });
    CHECK(comparison.pairs.empty());
    CHECK(comparison.second.heads == 1);
}

TEST_CASE("over texts that share tokens, heads are compared in their rows and columns, and what else a row "
          "sees is nowhere")
{
    engine::RunResult first = runOf({1, 1, 1}, {{1, 0}});  // two tokens
    engine::RunResult second;
    second.heads = first.heads;
    second.stats = first.stats;
    second.tokens = {7, 8, 9};
    const std::vector<float> before = {1, 0, 0.25f, 0.75f};
    const std::vector<float> after = {1, 0,     0,    0.5f, 0.5f,
                                      0, 0.25f, 0.5f, 0.25f};  // a token more in the middle
    const stats::TokenPairs ends{{{0, 0}, {1, 2}}, {{0, 0}, {1, 2}}};
    const analyses::Comparison comparison = analyses::compareHeads(
        first, second, ends, [&](HeadId) { return std::array{before.data(), after.data()}; });
    REQUIRE(comparison.pairs.size() == 1);
    CHECK(comparison.rows == 2);
    // The first rows are equal; of the second, 0.25 and 0.75 are held against 0.25, 0.25 and 0.5 elsewhere.
    CHECK(comparison.pairs[0].distance.totalVariation == Approx(0.25));
}
