#pragma once

#include "base/head_id.h"
#include "render/tile_flow.h"

#include <QPoint>
#include <QRectF>
#include <QString>

#include <span>
#include <vector>

namespace hs::render {

/// Side of a tile and the gap to the next one, in the figure's units.
struct TileMetrics {
    double side = 40;
    double gap = 4;
    QSizeF blockGap;  // that blocks are further apart than tiles
    double mlp = 0;   // of an MLP's slim tile with the gap before it

    /// With a gap that suits the side.
    static TileMetrics forSide(double side);

    double step() const { return side + gap; }
    friend bool operator==(const TileMetrics&, const TileMetrics&) = default;
};

/// What a grid's shape depends on of its heads, which are in drawing order.
struct HeadCounts {
    HeadShape numbers;  // the layers and head numbers that occur
    int all = 0;
    int inLayer =
        0;  // each layer's last head is the last of so many, or of a multiple; 0: not layer after layer

    static HeadCounts of(std::span<const HeadId> heads);
};

/// How many places a grid has, and how they are split into blocks.
struct GridShape {
    int columns = 0;
    int rows = 0;
    QSize block;           // columns and rows of one block; the last one may have fewer
    QSize toMlp = {0, 0};  // tiles across, or down, from one slim tile's room to the next; 0: there is none

    static GridShape of(const TileFlow& flow, const HeadCounts& heads);

    QSize blocks() const;  // across and down

    friend bool operator==(const GridShape&, const GridShape&) = default;
};

/// Where each head's tile is, relative to the grid's top left corner. Pure geometry, the same on screen
/// and on paper.
class GridLayout {
public:
    static constexpr int kNoTile = -1;

    /// The slim tile behind a layer's last head.
    struct Mlp {
        int head = 0;  // one of its layer, as a tile
        QPoint place;  // the tile is behind, which may have no head itself
    };

    /// A place for each layer and head number that occurs, or for each head of a wrapped list.
    GridLayout(std::vector<HeadId> heads, const TileFlow& flow, const TileMetrics& metrics = {});

    const std::vector<HeadId>& heads() const { return m_heads; }
    const TileFlow& flow() const { return m_flow; }
    const GridShape& shape() const { return m_shape; }
    /// One more than the largest layer and head number.
    const HeadShape& numbers() const { return m_numbers; }
    int count() const { return static_cast<int>(m_places.size()); }
    int rows() const { return m_shape.rows; }
    int columns() const { return m_shape.columns; }
    QSizeF size() const;

    QRectF tile(int index) const;
    /// The top left corner of a place, whether or not it has a tile.
    QPointF corner(QPoint place) const;

    /// The column and row of a tile, and the reverse.
    QPoint place(int index) const { return m_places[static_cast<std::size_t>(index)]; }
    int tileAtPlace(QPoint place) const;

    /// Of each layer, if there is room for them.
    const std::vector<Mlp>& mlps() const { return m_mlps; }
    QRectF mlpTile(const Mlp& mlp) const;

    /// What a row of a block has in common, "L3", and a column, "H7"; of a wrapped list a row's first
    /// head. Blocks count from 0, across and down.
    QString rowHeading(int row, int blockAcross) const;
    QString columnHeading(int column, int blockDown) const;

private:
    std::vector<HeadId> m_heads;
    TileFlow m_flow;
    TileMetrics m_metrics;
    GridShape m_shape;
    HeadShape m_numbers;
    std::vector<QPoint> m_places;  // (column, row) of each tile
    std::vector<int> m_tileAt;     // [row, column], kNoTile where there is no tile
    std::vector<Mlp> m_mlps;       // [layer that occurs]
};

}  // namespace hs::render
