#pragma once

#include "control/explorer/explorer.h"
#include "grid/grid_canvas.h"
#include "grid/late_tiles.h"

namespace hs::grid {

/// Full maps of the heads in sight, where tiles have fewer cells than the prompt has tokens and are
/// drawn larger than their cells. Those that are not there yet are asked for and left out.
std::map<HeadId, std::shared_ptr<const render::TilePyramid>>
fullMapsFor(control::Explorer& explorer, control::Side side, const GridCanvas& canvas, LateTiles& lateTiles);

}  // namespace hs::grid
