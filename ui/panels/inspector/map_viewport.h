#pragma once

#include "panels/inspector/head_map.h"

#include <QRectF>

namespace hs::panels {

/// Which square part of a map is visible and where it is. Pixels are the widget's, cells count keys to the
/// right and queries down; only this class maps between the two. The visible part never leaves the map.
class MapViewport {
public:
    /// Shows everything again when the number changes.
    void setTokens(int tokens);
    void setPlace(const QRect& place) { m_place = place; }

    int tokens() const { return m_tokens; }
    const QRect& place() const { return m_place; }  // in pixels
    const QRectF& seen() const { return m_seen; }   // in cells
    void setSeen(const QRectF& seen);
    bool isFitted() const { return m_seen.width() >= m_tokens; }
    double cellSide() const;  // in pixels

    std::optional<MapCell> cellAt(QPointF pixel) const;
    QRectF rectOf(MapCell cell) const;  // in pixels, also for cells out of view

    void fit();
    void zoomAt(QPointF pixel, double factor);
    void panBy(QPointF pixels);
    /// Moves only as far as needed to show the cell.
    void reveal(MapCell cell);

private:
    QPointF toCells(QPointF pixel) const;

    int m_tokens = 0;
    QRect m_place;
    QRectF m_seen;
};

}  // namespace hs::panels
