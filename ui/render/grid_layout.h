#pragma once

#include "base/head_id.h"

#include <QPoint>
#include <QRectF>

#include <span>
#include <vector>

namespace hs::render {

/// Side of a tile and the gap to the next one, in the figure's units.
struct TileMetrics {
    double side = 40;
    double gap = 4;

    /// With a gap that suits the side.
    static TileMetrics forSide(double side);

    double step() const { return side + gap; }
    friend bool operator==(const TileMetrics&, const TileMetrics&) = default;
};

/// Where each head's tile is, relative to the grid's top left corner. Pure geometry, used for both
/// painting and hit testing, so what is drawn is what is hit.
class GridLayout {
public:
    static constexpr int kNoTile = -1;

    /// Tiles in the order given, row after row.
    static GridLayout wrapped(int count, int columns, TileMetrics metrics);

    /// A row for each layer and a column for each head number that occurs; other places stay empty.
    static GridLayout matrix(std::span<const HeadId> heads, TileMetrics metrics);

    int count() const { return static_cast<int>(m_places.size()); }
    int rows() const { return m_rows; }
    int columns() const { return m_columns; }
    QSizeF size() const;

    QRectF tile(int index) const;

    /// The column and row of a tile, and the reverse.
    QPoint place(int index) const { return m_places[static_cast<std::size_t>(index)]; }
    int tileAtPlace(QPoint place) const;

    /// The tile under a point, or kNoTile between tiles. A tile includes its left and top edges.
    int tileAt(QPointF point) const;

private:
    GridLayout(std::vector<QPoint> places, TileMetrics metrics);

    std::vector<QPoint> m_places;  // (column, row) of each tile
    std::vector<int> m_tileAt;     // [row, column], kNoTile where there is no tile
    TileMetrics m_metrics;
    int m_rows = 0;
    int m_columns = 0;
};

}  // namespace hs::render
