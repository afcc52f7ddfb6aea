#include "base/token_spans.h"

#include <algorithm>

namespace hs {

bool TokenSpans::fit(int tokens) const
{
    return m_ends.empty() || (m_ends.front() > 0 && m_ends.back() == tokens &&
                              std::ranges::is_sorted(m_ends, std::ranges::less_equal()));
}

int TokenSpans::of(int token) const
{
    return static_cast<int>(std::ranges::upper_bound(m_ends, token) - m_ends.begin());
}

std::vector<std::int64_t> TokenSpans::idsOf(std::span<const std::int64_t> tokens) const
{
    std::vector<std::int64_t> ids;
    for (int span = 0; span < count(); ++span) {
        const auto inside =
            tokens.subspan(static_cast<std::size_t>(begin(span)), static_cast<std::size_t>(size(span)));
        // FNV-1a, below zero, where no token's id is; 53 bits, so that JSON holds it exactly.
        std::uint64_t hash = 14695981039346656037u;
        for (const std::int64_t token : inside)
            hash = (hash ^ static_cast<std::uint64_t>(token)) * 1099511628211u;
        ids.push_back(inside.size() == 1 ? inside.front() : -1 - static_cast<std::int64_t>(hash >> 11));
    }
    return ids;
}

std::int64_t TokenSpans::visibleCells(int window) const
{
    std::int64_t cells = 0;
    for (int span = 0; span < count(); ++span)
        cells += span + 1 - (window > 0 ? of(std::max(0, begin(span) - window + 1)) : 0);
    return cells;
}

}  // namespace hs
