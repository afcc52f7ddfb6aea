#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hs::stats {

/// Which cells the patterns of a run have.
struct PatternShape {
    int queries = 0;
    int keys = 0;
    bool isCausal = true;  // a query sees no later key; only where there are as many keys as queries

    PatternShape() = default;
    /// A causal one.
    PatternShape(int tokens) : queries(tokens), keys(tokens) {}
    PatternShape(int queryCount, int keyCount, bool causal)
        : queries(queryCount), keys(keyCount), isCausal(causal)
    {
    }

    bool isSquare() const { return queries == keys; }
    /// How many keys a query sees; they are the first ones.
    int keysOf(int query) const { return isCausal ? query + 1 : keys; }
    /// Cells in which there can be a weight.
    std::int64_t cells() const
    {
        const std::int64_t rows = queries;
        return isCausal ? rows * (rows + 1) / 2 : rows * keys;
    }
    /// Cells of a map, those without a weight included.
    std::size_t mapSize() const { return static_cast<std::size_t>(queries) * static_cast<std::size_t>(keys); }
    /// Where a map holds a cell.
    std::size_t indexOf(int query, int key) const
    {
        return static_cast<std::size_t>(query) * static_cast<std::size_t>(keys) +
               static_cast<std::size_t>(key);
    }
    bool contains(int query, int key) const
    {
        return query >= 0 && query < queries && key >= 0 && key < keysOf(query);
    }

    friend bool operator==(const PatternShape&, const PatternShape&) = default;
};

/// The row or column of a tile with `cells` of them that holds token `token` of `tokens`.
inline int tileCellOf(int token, int tokens, int cells)
{
    return static_cast<int>(((std::int64_t{token} + 1) * cells - 1) / std::max(tokens, 1));
}

}  // namespace hs::stats
