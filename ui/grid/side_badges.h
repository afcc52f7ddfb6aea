#pragma once

#include "control/explorer/explorer.h"
#include "grid/tile_badge.h"

namespace hs::grid {

/// The badges that the document asks for on a side's heads: ranks from an analysis that has found
/// something about its model, or roles in published circuits of models of its shape.
std::map<HeadId, TileBadge> badgesOf(const control::Explorer& explorer, Side side);

/// What the badges of both grids mean; empty if there are none.
BadgeKey badgeKeyOf(const control::Explorer& explorer);

}  // namespace hs::grid
