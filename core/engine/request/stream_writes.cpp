#include "engine/request/stream_writes.h"

#include <algorithm>

namespace hs::engine {

int firstDifference(const SharedWrites& a, const SharedWrites& b, int layers)
{
    if (a == b)
        return layers;
    static const StreamWrites kNothing;
    const auto& mine = a ? a->rows : kNothing.rows;
    const auto& theirs = b ? b->rows : kNothing.rows;
    const auto [left, right] = std::ranges::mismatch(mine, theirs);
    int first = layers;
    if (left != mine.end())
        first = std::min(first, left->first.layer);
    if (right != theirs.end())
        first = std::min(first, right->first.layer);
    return first;
}

bool writesTo(const SharedWrites& writes, int layer)
{
    if (!writes)
        return false;
    const auto at = writes->rows.lower_bound({layer, 0});
    return at != writes->rows.end() && at->first.layer == layer;
}

}  // namespace hs::engine
