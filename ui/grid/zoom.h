#pragma once

#include "grid/geometry.h"

namespace hs::grid {

/// How far a grid can be zoomed, as tile sides in view coordinates: from everything visible to one
/// cell filling the view.
struct ZoomLimits {
    double least = 1;
    double most = 1;

    static ZoomLimits of(const render::GridLayout& places, const Viewport& viewport, int tokens);
};

/// The tile side at 100 %: nothing is pooled, and a cell is one screen pixel, or the smallest whole
/// number of them that makes a tile large enough to read.
double actualTileSide(int tokens, double pixelRatio);

/// The zoom `factor` times as large, with the same place of the grid at a point of the view. At or
/// below the least it is the fit.
control::GridZoom zoomedAbout(const Geometry& from, QPointF view, double factor,
                              const render::GridLayout& places, const ZoomLimits& limits);

/// The grid dragged by `distance`, in view coordinates.
control::GridZoom panned(const Geometry& from, QPointF distance, const render::GridLayout& places);

/// The same zoom, with a place of the grid, in grid units, at the view's centre.
control::GridZoom centredOn(const Geometry& from, QPointF grid, const render::GridLayout& places);

/// The zoom at which a part of the grid's places fills the view; the fit if that is as large.
control::GridZoom zoomedTo(const Geometry& from, const QRect& part, const render::GridLayout& places,
                           const ZoomLimits& limits);

/// The zoom at `share`, 0..1, of the way from one to another.
control::GridZoom between(const control::GridZoom& from, const control::GridZoom& to, double share);

}  // namespace hs::grid
