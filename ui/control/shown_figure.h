#pragma once

#include "render/figure.h"

namespace hs {

class Explorer;

/// What the grids show now, as a figure for a file: the same heads in the same places, the same
/// colours, on paper's white. Empty while no side has a run.
GridFigure shownFigure(const Explorer& explorer);

}  // namespace hs
