#pragma once

#include "control/document/document.h"
#include "render/tile_flow.h"
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

/// How that many heads fill a figure, which has no room of its own to fill.
render::TileFlow flowShown(const GridChoice& choice, int count);

/// What both grids show and how, as the window has laid it out.
struct ShownGrids {
    std::array<std::vector<HeadId>, 2> heads;  // [Side], in drawing order
    std::array<render::TileFlow, 2> flows;     // [Side]
    bool isStacked = false;
};

}  // namespace hs::control
