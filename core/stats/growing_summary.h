#pragma once

#include "stats/head_summary.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hs::stats {

/// One head's pattern over a text that grows: the sums over its rows, and its weights as cells of a tile would
/// show them, so that its tile at any length is exact. As weights of a row add up to one at most, few of
/// them show in a long one, and only these are kept.
class GrowingSummary {
public:
    /// The next query's row. `open` counts the cells that the gate leaves open. [key]
    void addRow(const SummaryRules& rules, const float* row, int open);

    HeadStats stats(const SummaryRules& rules) const
    {
        return statsOf(m_sums, rules.pattern, rules.repeats.count());
    }
    std::int64_t activeCells() const { return static_cast<std::int64_t>(m_sums.open); }

    /// The tile of all rows so far, which the rules are about. [row, column], written
    void drawTile(const SummaryRules& rules, std::uint8_t* tile) const;

    std::size_t bytes() const;

private:
    /// Where a row ends among keys and levels. Without keys, its levels are those of all keys it sees.
    struct RowEnd {
        std::size_t keys = 0;
        std::size_t levels = 0;
    };

    PatternSums m_sums;
    std::vector<std::uint16_t> m_keys;
    std::vector<std::uint8_t> m_levels;
    std::vector<RowEnd> m_ends;  // [query]
};

}  // namespace hs::stats
