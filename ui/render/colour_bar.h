#pragma once

#include "render/colour_map.h"

#include <QRectF>

#include <vector>

class QPainter;

namespace hs::render {

/// A number on a colour bar; `place` is 0 at its left end and 1 at its right end.
struct ColourTick {
    double value = 0;
    double place = 0;
};

/// The numbers worth writing under a colour bar: weights 0..1, differences -1..1.
std::vector<ColourTick> colourTicks(Scale scale, bool isDiverging);

/// Fills `bar` with the map's colours from left to right.
void paintColours(QPainter& painter, const QRectF& bar, const ColourMap& map);

}  // namespace hs::render
