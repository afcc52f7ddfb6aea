#pragma once

#include "control/document/document.h"
#include "stats/head_kind.h"

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

/// What a run says about its heads that a list can be ordered by.
struct HeadFacts {
    std::span<const stats::HeadStats> stats;                // [layer * head]; empty: nothing is known yet
    std::span<const std::optional<stats::HeadKind>> kinds;  // the same; empty: not known
    std::span<const HeadId> byLikeness;                     // all heads, like beside like; empty: not known
};

/// The heads a grid shows, in drawing order. A list keeps the given order while what it is ordered by is
/// not known. Hidden heads and those the model lacks are left out.
std::vector<HeadId> headsShown(const GridChoice& choice, const HeadShape& heads, const HeadFacts& facts);

/// Tiles per row for that many heads; 0 for a matrix, which has layers in rows and heads in columns.
int columnsShown(const GridChoice& choice, int count);

}  // namespace hs::control
