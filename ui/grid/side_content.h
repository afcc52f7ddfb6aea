#pragma once

#include "control/explorer/explorer.h"
#include "grid/content.h"
#include "grid/late_tiles.h"

namespace hs::grid {

/// Turns what the Explorer knows about a side into what its grid shows. `shown` is the side whose tiles
/// are visible: the other one while the grid is flipped. `previous` is what the grid shows now; it stays,
/// dimmed, while a difference is being computed.
Content contentOf(const control::Explorer& explorer, Side side, Side shown, LateTiles& lateTiles,
                  const Content& previous);

/// A grid's marks without its pinned heads and focus.
Marks marksOf(const control::Explorer& explorer, Side side);

/// A side's heads that map the pinned key to the pinned query at the document's threshold or above.
std::set<HeadId> pinnedHeads(control::Explorer& explorer, Side side);

}  // namespace hs::grid
