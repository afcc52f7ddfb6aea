#include "stats/head_summary.h"
#include "stats/span_fold.h"
#include "support/catch.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace hs;

namespace {

/// A causal pattern of a window, gated here and there. [query, key]
struct FoldedPattern {
    std::vector<float> weights;
    std::vector<std::uint8_t> open;
};

FoldedPattern patternOver(int tokens, int window)
{
    std::mt19937 random(11);
    std::uniform_real_distribution<float> weight(0, 1);
    FoldedPattern pattern{std::vector<float>(std::size_t(tokens * tokens)),
                          std::vector<std::uint8_t>(std::size_t(tokens * tokens))};
    for (int query = 0; query < tokens; ++query)
        for (int key = std::max(0, query - window + 1); key <= query; ++key)
            if (const float drawn = weight(random); drawn > 0.3f) {
                pattern.weights[std::size_t(query * tokens + key)] = drawn;
                pattern.open[std::size_t(query * tokens + key)] = 1;
            }
    return pattern;
}

}  // namespace

TEST_CASE("a block's cell is the sum over its keys, averaged over its queries")
{
    const int tokens = 40, window = GENERATE(7, 40);
    const FoldedPattern pattern = patternOver(tokens, window);
    const TokenSpans spans({1, 4, 5, 17, 18, 36, 40});
    std::vector<float> folded(std::size_t(spans.count() * spans.count()), -1.0f);
    stats::foldMap(spans, pattern.weights.data(), folded.data());
    for (int row = 0; row < spans.count(); ++row)
        for (int column = 0; column < spans.count(); ++column) {
            double sum = 0;
            for (int query = spans.begin(row); query < spans.end(row); ++query)
                for (int key = spans.begin(column); key < spans.end(column); ++key)
                    sum += double(pattern.weights[std::size_t(query * tokens + key)]);
            CHECK(folded[std::size_t(row * spans.count() + column)] ==
                  Approx(sum / spans.size(row)).margin(1e-6));
        }
}

TEST_CASE("a block of one token keeps the bits of its weights")
{
    const int tokens = 25;
    const FoldedPattern pattern = patternOver(tokens, tokens);
    std::vector<int> ends(tokens);
    std::iota(ends.begin(), ends.end(), 1);
    std::vector<float> folded(pattern.weights.size());
    stats::foldMap(TokenSpans(ends), pattern.weights.data(), folded.data());
    CHECK(folded == pattern.weights);
    CHECK(!TokenSpans(ends).folds());
}

TEST_CASE("a pair of blocks is open where any of its cells is")
{
    const int tokens = 30;
    const FoldedPattern pattern = patternOver(tokens, 9);
    const TokenSpans spans({2, 3, 11, 12, 13, 29, 30});
    stats::SpanFold fold(spans);
    for (int query = 0; query < tokens; ++query)
        fold.add(pattern.weights.data() + query * tokens, pattern.open.data() + query * tokens, 0, query + 1);
    std::int64_t open = 0;
    for (int row = 0; row < spans.count(); ++row)
        for (int column = 0; column <= row; ++column) {
            bool isOpen = false;
            for (int query = spans.begin(row); query < spans.end(row); ++query)
                for (int key = spans.begin(column); key < spans.end(column); ++key)
                    isOpen |= pattern.open[std::size_t(query * tokens + key)] != 0;
            open += isOpen;
        }
    CHECK(fold.activeCells() == open);
}

TEST_CASE("blocks see what any of their tokens sees")
{
    const TokenSpans spans({2, 3, 11, 12, 13, 29, 30});
    const int window = GENERATE(0, 1, 2, 5, 12, 30, 99);
    std::int64_t visible = 0;
    for (int row = 0; row < spans.count(); ++row)
        for (int column = 0; column <= row; ++column) {
            bool isSeen = false;
            for (int query = spans.begin(row); query < spans.end(row); ++query)
                for (int key = spans.begin(column); key < spans.end(column); ++key)
                    isSeen |= key <= query && (window == 0 || key > query - window);
            visible += isSeen;
        }
    CHECK(spans.visibleCells(window) == visible);
}

TEST_CASE("blocks are found by their tokens, and are told apart by them")
{
    const TokenSpans spans({2, 3, 5, 6});
    CHECK(spans.of(0) == 0);
    CHECK(spans.of(1) == 0);
    CHECK(spans.of(2) == 1);
    CHECK(spans.of(4) == 2);
    CHECK(spans.of(5) == 3);
    const std::vector<std::int64_t> ids = spans.idsOf(std::vector<std::int64_t>{7, 8, 7, 7, 8, 7});
    REQUIRE(ids.size() == 4);
    CHECK(ids[0] == ids[2]);
    CHECK(ids[0] < 0);
    CHECK(ids[1] == 7);
    CHECK(ids[3] == 7);
}

TEST_CASE("blocks fit a text that they cut from its first to its last token, each with one at least")
{
    CHECK(TokenSpans().fit(5));
    CHECK(TokenSpans({2, 5}).fit(5));
    CHECK(!TokenSpans({2, 4}).fit(5));
    CHECK(!TokenSpans({2, 6}).fit(5));
    CHECK(!TokenSpans({0, 5}).fit(5));
    CHECK(!TokenSpans({3, 3, 5}).fit(5));
    CHECK(!TokenSpans({4, 3, 5}).fit(5));
    CHECK(!TokenSpans({-2, 5}).fit(5));
}
