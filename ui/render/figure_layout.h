#pragma once

#include "render/figure.h"
#include "render/figure_style.h"
#include "render/grid_layout.h"

#include <optional>

namespace hs {

struct PanelLayout {
    QRectF title;
    QRectF caption;  // empty without one
    QPointF origin;  // of the grid
    GridLayout grid;

    QRectF tile(int index) const { return grid.tile(index).translated(origin); }
};

/// A tile of a figure: panels[panel].heads[tile].
struct TileAddress {
    int panel = 0;
    int tile = 0;

    friend bool operator==(const TileAddress&, const TileAddress&) = default;
};

/// Where every part of a figure lies, in its units, origin top left.
struct FigureLayout {
    QSizeF size;
    double tileSide = 0;
    std::vector<PanelLayout> panels;
    QRectF note;
    QRectF colourBar;  // the coloured bar itself; its numbers hang below

    std::optional<TileAddress> tileAt(QPointF point) const;
};

FigureLayout layoutFigure(const GridFigure& figure, double tileSide, const FigureStyle& style);

/// The layout with the largest whole tile side that fits into `room`; the smallest one a tile can
/// have when nothing fits.
FigureLayout fitFigure(const GridFigure& figure, QSizeF room, const FigureStyle& style);

}  // namespace hs
