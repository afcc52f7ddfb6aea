#pragma once

#include "figures/parts/page.h"

#include <QByteArray>

namespace hs::figures {

/// Everything on a page but its tiles, as JSON that may stand inside a script element: it has no < and no &.
/// resources/page/page.js reads it.
QByteArray pageJson(const Page& page);

/// The panel's tiles in drawing order, a byte for each cell, deflated. [tile, row, column]
QByteArray packedTiles(const TilePanel& panel);

}  // namespace hs::figures
