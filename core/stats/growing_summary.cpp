#include "stats/growing_summary.h"

#include <algorithm>
#include <span>

namespace hs::stats {
namespace {

constexpr int kMostListedKeys = 1 << 16;
// A listed weight takes as long to draw as so many that are read one after another.
constexpr int kListingCost = 12;
// Below this a weight's level is 0: half a level.
constexpr float kLeastShown = 0.5f / 255;

/// Where each of `parts` equal parts of a length ends.
std::vector<int> endsOf(std::int64_t length, int parts)
{
    std::vector<int> ends;
    for (int part = 1; part <= parts; ++part)
        ends.push_back(static_cast<int>(part * length / parts));
    return ends;
}

/// The largest level of the keys up to each column's end. Columns differ in width by one key at most, so two equally
/// wide spans cover each of them; the levels become the largest of such spans.
void poolLevels(std::span<std::uint8_t> levels, std::span<const int> ends, std::uint8_t* cells)
{
    std::size_t width = 1;
    for (; 2 * width <= static_cast<std::size_t>(ends.front()); width *= 2)
        for (std::size_t key = 0; key + width < levels.size(); ++key)
            levels[key] = std::max(levels[key], levels[key + width]);
    std::size_t begin = 0;
    for (const int column : ends) {
        const auto end = static_cast<std::size_t>(column);
        *cells++ = std::max(levels[begin], levels[end - width]);
        begin = end;
    }
}

}  // namespace

void GrowingSummary::addRow(const SummaryRules& rules, const float* row, int open)
{
    const int query = static_cast<int>(m_ends.size());
    const int seen = query + 1;
    stats::addRow(m_sums, rules, query, row);
    m_sums.open += open;
    const auto shown = std::count_if(row, row + seen, [](float weight) { return weight >= kLeastShown; });
    const bool isListed = kListingCost * shown < seen && seen <= kMostListedKeys;
    for (int key = 0; key < seen; ++key) {
        const bool isShown = row[key] >= kLeastShown;
        if (isListed && isShown)
            m_keys.push_back(static_cast<std::uint16_t>(key));
        if (!isListed || isShown)
            m_levels.push_back(isShown ? tileLevel(row[key]) : 0);
    }
    m_ends.push_back({m_keys.size(), m_levels.size()});
}

void GrowingSummary::drawTile(const SummaryRules& rules, std::uint8_t* tile) const
{
    const std::int64_t length = rules.pattern.queries;
    const int side = rules.tileRows();
    const std::vector<int> ends = endsOf(length, side);
    std::vector<std::uint8_t> room(static_cast<std::size_t>(length));
    std::uint8_t* const most = room.data();  // [key] the largest level in this row of the tile
    RowEnd begin;
    int query = 0;
    for (int row = 0; row < side; ++row) {
        for (; query < ends[static_cast<std::size_t>(row)]; ++query) {
            const RowEnd end = m_ends[static_cast<std::size_t>(query)];
            const std::uint8_t* const levels = m_levels.data() + begin.levels;
            const std::size_t count = end.levels - begin.levels;
            const std::uint16_t* const keys = m_keys.data() + begin.keys;
            if (end.keys > begin.keys)
                for (std::size_t index = 0; index < count; ++index)
                    most[keys[index]] = std::max(most[keys[index]], levels[index]);
            else
                for (std::size_t key = 0; key < count; ++key)
                    most[key] = std::max(most[key], levels[key]);
            begin = end;
        }
        // Columns after the row's own have keys that come later.
        std::uint8_t* const cells = tile + static_cast<std::size_t>(row) * side;
        poolLevels({most, static_cast<std::size_t>(query)},
                   std::span(ends).first(static_cast<std::size_t>(row) + 1), cells);
        std::fill(cells + row + 1, cells + side, std::uint8_t{0});
        std::fill_n(most, query, std::uint8_t{0});
    }
}

std::size_t GrowingSummary::bytes() const
{
    return m_keys.capacity() * sizeof(std::uint16_t) + m_levels.capacity() +
           m_ends.capacity() * sizeof(RowEnd);
}

}  // namespace hs::stats
