#include "stats/head_summary.h"
#include "stats/metric_table.h"
#include "support/catch.h"

#include <cmath>
#include <random>
#include <set>

using namespace hs;

namespace {

struct Pattern {
    int length;
    std::vector<float> cells;  // [query, key]

    float at(int query, int key) const { return cells[static_cast<std::size_t>(query) * length + key]; }
};

Pattern randomPattern(int length, unsigned seed)
{
    std::mt19937 random(seed);
    std::exponential_distribution<float> weight;
    Pattern pattern{length, std::vector<float>(static_cast<std::size_t>(length) * length)};
    for (int query = 0; query < length; ++query) {
        float sum = 0;
        for (int key = 0; key <= query; ++key)
            sum += pattern.cells[query * length + key] = std::pow(weight(random), 3.0f);
        for (int key = 0; key <= query; ++key)
            pattern.cells[query * length + key] /= sum;
    }
    return pattern;
}

struct Summary {
    stats::HeadStats stats;
    std::vector<std::uint8_t> tile;
};

Summary summarize(const Pattern& pattern, const std::vector<std::int64_t>& tokens, int side)
{
    const stats::RepeatedTokens repeats(tokens);
    Summary summary;
    summary.tile.resize(static_cast<std::size_t>(side) * side, 77);
    summary.stats = stats::summarizeHead(pattern.cells.data(), {repeats, pattern.length, side, 0.1},
                                         stats::causalCells(pattern.length), summary.tile.data());
    return summary;
}

std::vector<std::int64_t> repeatedTokens(int length)
{
    std::vector<std::int64_t> tokens;
    for (int position = 0; position < length; ++position)
        tokens.push_back(position % 5 * 11);
    return tokens;
}

}  // namespace

TEST_CASE("statistics are the means that their definitions say")
{
    const int length = 17;
    const Pattern pattern = randomPattern(length, 3);
    const std::vector<std::int64_t> tokens = repeatedTokens(length);
    const stats::HeadStats stats = summarize(pattern, tokens, length).stats;

    double previous = 0, current = 0, first = 0, entropy = 0, normalized = 0, peak = 0, distance = 0;
    double duplicate = 0, induction = 0;
    int pairs = 0, above = 0, half = 0;
    for (int query = 0; query < length; ++query) {
        double rowEntropy = 0, rowPeak = 0;
        for (int key = 0; key <= query; ++key) {
            const double weight = pattern.at(query, key);
            rowEntropy -= weight * std::log(weight);
            rowPeak = std::max(rowPeak, weight);
            distance += weight * (query - key);
            above += weight > 0.1;
            half += weight > 0.5 && key != query;
            if (key < query && tokens[key] == tokens[query]) {
                duplicate += weight;
                induction += pattern.at(query, key + 1);
                ++pairs;
            }
        }
        entropy += rowEntropy;
        peak += rowPeak;
        current += pattern.at(query, query);
        if (query > 0) {
            previous += pattern.at(query, query - 1);
            first += pattern.at(query, 0);
            normalized += rowEntropy / std::log(query + 1);
        }
    }
    CHECK(stats.previousToken == Approx(previous / (length - 1)));
    CHECK(stats.currentToken == Approx(current / length));
    CHECK(stats.firstToken == Approx(first / (length - 1)));
    CHECK(stats.duplicateToken == Approx(duplicate / pairs));
    CHECK(stats.induction == Approx(induction / pairs));
    CHECK(stats.entropy == Approx(entropy / length));
    CHECK(stats.entropyNormalized == Approx(normalized / (length - 1)));
    CHECK(stats.peak == Approx(peak / length));
    CHECK(stats.meanDistance == Approx(distance / length));
    CHECK(stats.density == 1);
    CHECK(stats.densityAbove == Approx(double(above) / stats::causalCells(length)));
    CHECK(stats.offDiagonalAboveHalf == half);
}

TEST_CASE("a perfect induction head scores one on a repeated sequence")
{
    const int length = 12;
    std::vector<std::int64_t> tokens;
    for (int position = 0; position < length; ++position)
        tokens.push_back(position % 6);
    Pattern pattern{length, std::vector<float>(length * length)};
    for (int query = 0; query < length; ++query)
        pattern.cells[query * length + (query < 6 ? 0 : query - 5)] = 1;
    const stats::HeadStats stats = summarize(pattern, tokens, length).stats;
    CHECK(stats.induction == 1);
    CHECK(stats.duplicateToken == 0);
    CHECK(stats.entropy == 0);
}

TEST_CASE("a prompt of one token repeated takes no more memory than its length")
{
    const std::vector<std::int64_t> tokens(200000, 7);
    const stats::RepeatedTokens repeats(tokens);
    CHECK(repeats.count() == 200000LL * 199999 / 2);
    CHECK(repeats.earlier(0).empty());
    CHECK(repeats.earlier(3).size() == 3);
    CHECK(repeats.earlier(3).back() == 2);
}

TEST_CASE("means over no cells are undefined rather than zero")
{
    const stats::HeadStats stats = summarize({1, {1.0f}}, {4}, 1).stats;
    CHECK(std::isnan(stats.previousToken));
    CHECK(std::isnan(stats.firstToken));
    CHECK(std::isnan(stats.induction));
    CHECK(std::isnan(stats.entropyNormalized));
    CHECK(stats.currentToken == 1);

    const stats::HeadStats empty = summarize({2, {0, 0, 0, 0}}, {4, 5}, 2).stats;
    CHECK(std::isnan(empty.meanDistance));
    CHECK(empty.peak == 0);
}

TEST_CASE("each cell of a tile is the maximum of the weights it stands for")
{
    const int length = GENERATE(1, 5, 16, 23, 64);
    const int side = GENERATE(1, 4, 5, 16);
    if (side > length)
        return;
    const Pattern pattern = randomPattern(length, 11);
    const std::vector<std::uint8_t> tile = summarize(pattern, repeatedTokens(length), side).tile;
    std::vector<float> pooled(static_cast<std::size_t>(side) * side);
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column)
            for (int query = row * length / side; query < (row + 1) * length / side; ++query)
                for (int key = column * length / side; key < (column + 1) * length / side; ++key)
                    pooled[row * side + column] =
                        std::max(pooled[row * side + column], pattern.at(query, key));
    for (std::size_t cell = 0; cell < tile.size(); ++cell)
        REQUIRE(tile[cell] == std::lround(pooled[cell] * 255));
}

TEST_CASE("a window of w shows w cells a row once it is full")
{
    for (const int window : {1, 3, 7}) {
        std::int64_t cells = 0;
        for (int query = 0; query < 7; ++query)
            for (int key = 0; key <= query; ++key)
                cells += query - key < window;
        CHECK(stats::visibleCells(7, window) == cells);
    }
    CHECK(stats::visibleCells(7, 0) == 28);
}

TEST_CASE("every metric has a name of its own")
{
    std::set<std::string_view> names;
    for (const stats::Metric& metric : stats::allMetrics())
        CHECK(names.insert(metric.name).second);
    CHECK(names.size() == 12);
}
