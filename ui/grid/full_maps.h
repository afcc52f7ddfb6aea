#pragma once

#include "control/explorer/explorer.h"
#include "grid/canvas.h"
#include "grid/late_tiles.h"

namespace hs::grid {

/// Full maps of the visible heads, if tiles have fewer cells than the prompt has tokens and are drawn
/// larger than their cells. Maps that are not available yet are requested and left out.
std::map<HeadId, std::shared_ptr<const render::TilePyramid>>
fullMapsFor(control::Explorer& explorer, Side side, const Canvas& canvas, LateTiles& lateTiles);

}  // namespace hs::grid
