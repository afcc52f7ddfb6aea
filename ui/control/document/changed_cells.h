#pragma once

#include "base/head_change.h"
#include "service/backend.h"

#include <QList>
#include <QRectF>
#include <QStringList>

#include <map>

namespace hs::control {

/// Where a head's changed cells are in its tile, in parts of the tile.
QList<QRectF> placesOf(const HeadChange& change, const service::SideResult& run);

/// "L4H3 at zero", "L4H3[14<10]".
QString changeWords(HeadId head, const HeadChange& change);

/// Of many heads: "5 heads ablated", "cells of 64 heads changed".
QStringList changeCounts(const std::map<HeadId, HeadChange>& changes);

}  // namespace hs::control
