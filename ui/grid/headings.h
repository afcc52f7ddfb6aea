#pragma once

#include "grid/geometry.h"
#include "grid/inks.h"

class QPainter;

namespace hs::grid {

/// Paints the headings of rows and columns: in the gutter of each block, and in the strips at the view's left
/// and top, which keep those of the block there in sight however far the grid is moved.
void paintHeadings(QPainter& painter, const render::GridLayout& places, const Geometry& geometry,
                   const Inks& inks);

}  // namespace hs::grid
