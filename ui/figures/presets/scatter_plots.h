#pragma once

#include "figures/parts/drawing.h"
#include "render/colour_map.h"

#include <span>

namespace hs::figures {

/// Weights of two heads over the same cells, both from 0 to 1: one point per cell if they are few,
/// otherwise the number in each small square, darker for more, logarithmically. Bounded in size however
/// many there are. Keeps clear of a frame of `lineWidth`.
void drawScatter(Drawing& drawing, const QRectF& place, std::span<const float> x, std::span<const float> y,
                 const render::ColourMap& map, double lineWidth);

/// How often each weight from 0 to 1 occurs, logarithmically, with room for a label above.
void drawHistogram(Drawing& drawing, const QRectF& place, std::span<const float> weights,
                   const render::ColourMap& map);

}  // namespace hs::figures
