#pragma once

#include "control/document/document.h"
#include "render/tile_flow.h"
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

/// How that many heads fill a figure, which has no room of its own to fill.
render::TileFlow flowShown(const GridChoice& choice, int count);

/// What both grids show and how, as the window has laid it out.
struct ShownGrids {
    std::array<std::vector<HeadId>, 2> heads;  // [Side], in drawing order
    std::array<render::TileFlow, 2> flows;     // [Side]
    bool isStacked = false;
};

}  // namespace hs::control
