#pragma once

#include "base/head_id.h"

#include <QList>
#include <QRectF>

#include <map>

namespace hs::render {

/// Rectangles of cells in heads' tiles, in parts of the tile: (0, 0, 1, 1) is all of it.
using CellPlaces = std::map<HeadId, QList<QRectF>>;

inline QRectF placeIn(const QRectF& tile, const QRectF& part)
{
    return {tile.left() + part.left() * tile.width(), tile.top() + part.top() * tile.height(),
            part.width() * tile.width(), part.height() * tile.height()};
}

}  // namespace hs::render
