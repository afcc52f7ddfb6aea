#pragma once

#include "base/token_spans.h"
#include "stats/head_stats.h"
#include "stats/pattern_shape.h"
#include "stats/pattern_sums.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace hs::stats {

/// The cells of a pattern in which a token meets an earlier copy of itself, the same for all heads.
class RepeatedTokens {
public:
    explicit RepeatedTokens(std::span<const std::int64_t> tokens);

    /// Earlier positions that hold the token of position `query`, ascending.
    std::span<const int> earlier(int query) const
    {
        const Place& place = m_places[query];
        return {m_positions.data() + place.group, place.rank};
    }
    /// Pairs of a position and an earlier one with the same token.
    std::int64_t count() const { return m_count; }

private:
    struct Place {
        std::size_t group = 0;  // where the token's positions begin
        std::size_t rank = 0;   // how many of them come before
    };

    std::vector<Place> m_places;   // [query]
    std::vector<int> m_positions;  // of each token in turn, ascending
    std::int64_t m_count = 0;
};

/// What is the same for every head of a run.
struct SummaryRules {
    const RepeatedTokens& repeats;
    PatternShape pattern;
    int tileSide = 0;  // tiles have at most this many rows and columns
    double threshold = 0;
    const TokenSpans* fold =
        nullptr;  // to which the patterns of tokens are folded; null: they have this shape

    int tileRows() const { return std::min(tileSide, pattern.queries); }
    int tileColumns() const { return std::min(tileSide, pattern.keys); }
    std::size_t tileCells() const
    {
        return static_cast<std::size_t>(tileRows()) * static_cast<std::size_t>(tileColumns());
    }
    /// Cells of a causal pattern with a key that is one of the last `window` tokens up to a query (0: all).
    std::int64_t visibleCells(std::int64_t window) const;
};

/// Adds one row of a head's pattern to its sums, all but `open`. [key]
void addRow(PatternSums& sums, const SummaryRules& rules, int query, const float* row);

/// A weight as a cell of a tile.
std::uint8_t tileLevel(float weight);

/// Takes one head's pattern row by row, so that it need not be held as a whole: its statistics, and its tile
/// pooled by maximum. The rules have to outlive it.
class HeadSummarizer {
public:
    HeadSummarizer(const SummaryRules& rules, std::uint8_t* tile);  // [row, column], written
    /// Each query once, from the first on. [key]
    void addRow(int query, const float* row);
    /// `activeCells` as for summarizeHead.
    const PatternSums& sums(std::int64_t activeCells);
    HeadStats finish(std::int64_t activeCells);

private:
    const SummaryRules& m_rules;
    std::uint8_t* m_tile;
    PatternSums m_sums;
};

/// Reads one head's pattern once: its statistics, and its tile pooled by maximum. Plain C++, any
/// thread. `activeCells` is what the gate left open (all that queries see without one).
HeadStats summarizeHead(const float* pattern,  // [query, key]
                        const SummaryRules& rules, std::int64_t activeCells,
                        std::uint8_t* tile);  // [row, column], written

/// Statistics from the sums over one head's pattern; `repeatedPairs` as RepeatedTokens counts them. What
/// compares a query with its own place among the keys is NaN where keys are not the queries' tokens.
HeadStats statsOf(const PatternSums& sums, const PatternShape& pattern, std::int64_t repeatedPairs);

/// The statistics of a place that has no head, none of which exists.
HeadStats noStats();
bool isHead(const HeadStats& stats);

/// Cells of a causal pattern over `length` tokens, the diagonal included.
constexpr std::int64_t causalCells(std::int64_t length)
{
    return length * (length + 1) / 2;
}

/// Causal cells whose key is one of the last `window` tokens up to the query (0: all).
std::int64_t visibleCells(std::int64_t length, std::int64_t window);

}  // namespace hs::stats
