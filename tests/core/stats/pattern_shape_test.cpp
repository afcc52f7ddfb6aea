#include "stats/correlation.h"
#include "stats/head_kind.h"
#include "stats/pattern_distance.h"
#include "stats/token_flow.h"
#include "support/catch.h"

#include <cmath>
#include <random>

using namespace hs;

namespace {

/// Rows that sum to 1 over the keys that they see.
std::vector<float> madeUpPattern(const stats::PatternShape& shape, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> draw(0.01f, 1);
    std::vector<float> pattern(shape.mapSize(), 0);
    for (int query = 0; query < shape.queries; ++query) {
        float sum = 0;
        for (int key = 0; key < shape.keysOf(query); ++key)
            sum += pattern[shape.indexOf(query, key)] = draw(random);
        for (int key = 0; key < shape.keysOf(query); ++key)
            pattern[shape.indexOf(query, key)] /= sum;
    }
    return pattern;
}

struct ShapeSummary {
    stats::HeadStats stats;
    std::vector<std::uint8_t> tile;
};

ShapeSummary summaryOf(const std::vector<float>& pattern, const stats::PatternShape& shape,
                       std::vector<std::int64_t> tokens, int side = 64)
{
    tokens.resize(static_cast<std::size_t>(shape.queries), 99);
    const stats::RepeatedTokens repeats(tokens);
    const stats::SummaryRules rules{repeats, shape, side, 0.2};
    ShapeSummary summary{{}, std::vector<std::uint8_t>(rules.tileCells())};
    summary.stats = stats::summarizeHead(pattern.data(), rules, shape.cells(), summary.tile.data());
    return summary;
}

}  // namespace

TEST_CASE("statistics of a pattern that is not causal count every key")
{
    const stats::PatternShape shape(5, 5, false);
    const std::vector<float> pattern = madeUpPattern(shape, 1);
    const auto at = [&](int query, int key) { return double(pattern[shape.indexOf(query, key)]); };
    double entropy = 0, peak = 0, distance = 0, above = 0, first = 0, previous = 0, current = 0;
    for (int query = 0; query < 5; ++query) {
        double largest = 0;
        for (int key = 0; key < 5; ++key) {
            entropy -= at(query, key) * std::log(at(query, key));
            distance += at(query, key) * std::abs(query - key);
            above += at(query, key) > 0.2;
            largest = std::max(largest, at(query, key));
        }
        peak += largest;
        first += at(query, 0);
        current += at(query, query);
        previous += query > 0 ? at(query, query - 1) : 0;
    }
    const stats::HeadStats found = summaryOf(pattern, shape, {1, 2, 1, 3, 4}).stats;
    CHECK(found.entropy == Approx(entropy / 5));
    CHECK(found.entropyNormalized == Approx(entropy / 5 / std::log(5)));
    CHECK(found.peak == Approx(peak / 5));
    CHECK(found.meanDistance == Approx(distance / 5));
    CHECK(found.density == Approx(1));
    CHECK(found.densityAbove == Approx(above / 25));
    CHECK(found.firstToken == Approx(first / 5));
    CHECK(found.currentToken == Approx(current / 5));
    CHECK(found.previousToken == Approx(previous / 4));
    CHECK(found.duplicateToken == Approx(at(2, 0)));
    CHECK(found.induction == Approx(at(2, 1)));
}

TEST_CASE("where keys are other tokens, no place of a query among them is spoken of")
{
    const stats::PatternShape shape(3, 6, false);
    const ShapeSummary found = summaryOf(madeUpPattern(shape, 2), shape, {1, 1, 1}, 2);
    for (const double number : {found.stats.previousToken, found.stats.currentToken,
                                found.stats.duplicateToken, found.stats.induction, found.stats.meanDistance})
        CHECK(std::isnan(number));
    for (const double number : {found.stats.firstToken, found.stats.entropy, found.stats.entropyNormalized,
                                found.stats.peak, found.stats.density, found.stats.densityAbove})
        CHECK(number > 0);
    CHECK(found.tile.size() == 4);
    const std::vector<std::int64_t> tokens = {1, 1, 1};
    const stats::RepeatedTokens repeats(tokens);
    CHECK_FALSE(stats::kindOf(found.stats, {repeats, shape, 2}, found.tile.data()));
}

TEST_CASE("a causal pattern summarised as one that is not has the same weights and more cells")
{
    const std::vector<float> pattern = madeUpPattern(4, 3);
    const ShapeSummary causal = summaryOf(pattern, 4, {1, 2, 3, 4});
    const ShapeSummary other = summaryOf(pattern, {4, 4, false}, {1, 2, 3, 4});
    CHECK(causal.tile == other.tile);
    CHECK(other.stats.meanDistance == Approx(causal.stats.meanDistance));
    CHECK(other.stats.densityAbove * 16 == Approx(causal.stats.densityAbove * 10));
}

TEST_CASE("a tile of a rectangular pattern has the largest weight of each of its cells")
{
    const stats::PatternShape shape(7, 11, false);
    const std::vector<float> pattern = madeUpPattern(shape, 4);
    const ShapeSummary found = summaryOf(pattern, shape, {}, 5);
    REQUIRE(found.tile.size() == 25);
    std::vector<float> largest(25, 0);
    for (int query = 0; query < 7; ++query)
        for (int key = 0; key < 11; ++key) {
            float& cell = largest[static_cast<std::size_t>(stats::tileCellOf(query, 7, 5) * 5 +
                                                           stats::tileCellOf(key, 11, 5))];
            cell = std::max(cell, pattern[shape.indexOf(query, key)]);
        }
    for (std::size_t cell = 0; cell < 25; ++cell)
        CHECK(found.tile[cell] == std::lround(255 * largest[cell]));
}

TEST_CASE("kinds of heads that look both ways")
{
    const int length = 12;
    const stats::PatternShape shape(length, length, false);
    std::vector<std::int64_t> tokens;
    for (int token = 0; token < length; ++token)
        tokens.push_back(token);
    const stats::RepeatedTokens repeats(tokens);
    const auto kindOf = [&](const std::function<double(int query, int key)>& weight) {
        std::vector<float> pattern(shape.mapSize());
        for (int query = 0; query < length; ++query)
            for (int key = 0; key < length; ++key)
                pattern[shape.indexOf(query, key)] = static_cast<float>(weight(query, key));
        const ShapeSummary summary = summaryOf(pattern, shape, tokens);
        return stats::kindOf(summary.stats, {repeats, shape, 64}, summary.tile.data());
    };
    CHECK(kindOf([](int, int) { return 1.0 / 12; }) == stats::HeadKind::Broad);
    CHECK(kindOf([](int, int key) { return key == 0 ? 1.0 : 0.0; }) == stats::HeadKind::Sink);
    CHECK(kindOf([](int query, int key) { return key == (query + 1) % 12 ? 1.0 : 0.0; }) ==
          stats::HeadKind::Local);
    CHECK(kindOf([](int query, int key) { return key == query - 1 ? 1.0 : 0.0; }) ==
          stats::HeadKind::PreviousToken);
}

TEST_CASE("weights, distances and flow follow the cells that queries see")
{
    const stats::PatternShape both(2, 2, false);
    const std::vector<float> ahead = {0, 1, 0.5f, 0.5f};
    const std::vector<float> behind = {1, 0, 0.5f, 0.5f};
    CHECK(stats::visibleWeights(ahead.data(), both) == ahead);
    CHECK(stats::visibleWeights(ahead.data(), 2) == std::vector<float>{0, 0.5f, 0.5f});
    CHECK(stats::patternDistance(ahead.data(), behind.data(), both).totalVariation == Approx(0.5));

    stats::TokenFlowBuilder builder(2, both, 0.6);
    builder.add({0, 0}, ahead.data());
    const stats::TokenFlow flow = builder.finish();
    REQUIRE(flow.edges.size() == 1);
    CHECK(flow.ways == std::vector<double>{1, 1, 0, 1});  // from the second token to the first
    CHECK(stats::edgesBetween(flow, 1, 0).size() == 1);
    CHECK(stats::edgesBetween(flow, 0, 1).empty());
    CHECK_THROWS(stats::TokenFlowBuilder(1, {2, 3, false}, 0));
}
