#pragma once

#include "render/colour_map.h"

#include <QImage>
#include <QSize>

#include <cstdint>
#include <span>

namespace hs::render {

/// One head's pattern as a picture of exactly `pixels`. If the picture is larger than the tile, cells are
/// squares of uniform colour; if it is smaller, a pixel shows the largest weight it covers, so that a
/// single strong cell never disappears. `cells` has one pixel per cell (Format_Indexed8).
QImage tileImage(const QImage& cells, QSize pixels);

/// Whether all the tile's weights are 0.
bool isBlank(std::span<const std::uint8_t> tile);

}  // namespace hs::render
