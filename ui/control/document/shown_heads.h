#pragma once

#include "control/document/document.h"
#include "stats/head_stats.h"

#include <set>
#include <span>
#include <vector>

namespace hs::control {

/// Whether a side's grid is shown at all.
constexpr bool isShown(Arrangement arrangement, Side side)
{
    return arrangement != (side == Side::Left ? Arrangement::RightOnly : Arrangement::LeftOnly);
}

std::set<HeadId> allHeads(const HeadShape& shape);

/// The heads a grid shows, in drawing order. `stats` is [layer * head], or empty while there are
/// none; a ranked list then keeps the given order. Hidden heads and those the model lacks are left out.
std::vector<HeadId> headsShown(const GridChoice& choice, const HeadShape& heads,
                               std::span<const stats::HeadStats> stats);

/// Tiles per row for that many heads; 0 for a matrix, which has layers in rows and heads in columns.
int columnsShown(const GridChoice& choice, int count);

}  // namespace hs::control
