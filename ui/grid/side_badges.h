#pragma once

#include "control/explorer.h"
#include "grid/tile_badge.h"

namespace hs {

/// The badges that the document asks for on a side's heads: ranks of an analysis that has found
/// something about its model, or roles in published circuits of models of its shape.
std::map<HeadId, TileBadge> badgesOf(const Explorer& explorer, Side side);

/// What the badges of both grids mean; empty while there are none.
BadgeKey badgeKeyOf(const Explorer& explorer);

}  // namespace hs
