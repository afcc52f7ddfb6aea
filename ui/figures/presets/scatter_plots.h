#pragma once

#include "figures/parts/drawing.h"
#include "render/colour_map.h"

#include <span>

namespace hs::figures {

/// Weights of two heads over the same cells, both from 0 to 1: one point a cell while they are few,
/// else how many fall into each small square, darker for more by the logarithm. Bounded in size
/// however many there are. Keeps clear of a frame of `lineWidth`.
void drawScatter(Drawing& drawing, const QRectF& place, std::span<const float> x, std::span<const float> y,
                 const render::ColourMap& map, double lineWidth);

/// How often each weight from 0 to 1 occurs, by the logarithm, with room for a label above.
void drawHistogram(Drawing& drawing, const QRectF& place, std::span<const float> weights,
                   const render::ColourMap& map);

}  // namespace hs::figures
