#pragma once

#include "render/colour_map.h"

#include <QImage>
#include <QSize>

#include <cstdint>

namespace hs::render {

/// One head's pattern as a picture of exactly `pixels`: cells are squares of even colour when the
/// picture is larger than the tile, and a pixel shows the largest weight it stands for when it is
/// smaller, so that a single strong cell never disappears. `cells` has one pixel a cell
/// (Format_Indexed8).
QImage tileImage(const QImage& cells, QSize pixels);

/// Whether every weight of the tile is 0.
bool isBlank(const std::uint8_t* tile, int side);

}  // namespace hs::render
