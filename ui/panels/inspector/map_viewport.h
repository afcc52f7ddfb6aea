#pragma once

#include "panels/inspector/head_map.h"

#include <QRectF>

#include <algorithm>

namespace hs::panels {

/// Which part of a map is visible and where it is. Pixels are the widget's, cells count keys to the right and
/// queries down; only this class maps between the two. The visible part never leaves the map and has its shape, as
/// long as it has at least a few rows and columns.
class MapViewport {
public:
    /// Shows everything again when the numbers change.
    void setSize(int queries, int keys);
    void setPlace(const QRect& place) { m_place = place; }

    int queries() const { return m_queries; }
    int keys() const { return m_keys; }
    int longest() const { return std::max(m_queries, m_keys); }
    bool isEmpty() const { return m_queries == 0 || m_keys == 0; }
    const QRect& place() const { return m_place; }  // in pixels
    const QRectF& seen() const { return m_seen; }   // in cells
    void setSeen(const QRectF& seen);
    bool isFitted() const { return m_seen.width() >= m_keys && m_seen.height() >= m_queries; }
    QSizeF cellSize() const;  // in pixels

    std::optional<MapCell> cellAt(QPointF pixel) const;
    QRectF rectOf(MapCell cell) const;  // in pixels, also for cells out of view

    void fit();
    void zoomAt(QPointF pixel, double factor);
    void panBy(QPointF pixels);
    /// Moves only as far as needed to show the cell.
    void reveal(MapCell cell);

private:
    QPointF toCells(QPointF pixel) const;
    /// 1: everything is visible.
    double zoomOf(const QRectF& seen) const;
    /// The visible part at a zoom.
    QSizeF seenAt(double zoom) const;

    int m_queries = 0;
    int m_keys = 0;
    QRect m_place;
    QRectF m_seen;
};

}  // namespace hs::panels
