#pragma once

#include "grid/grid_inks.h"
#include "grid/tile_badge.h"
#include "render/label_corner.h"

#include <QRect>

class QPainter;

namespace hs::grid {

/// Paints plates on tiles, in their upper right half, which has no cells: below the line of a label
/// at the top, else in the corner. Tiles too small for text keep the colours alone.
class BadgePainter {
public:
    /// All tiles have the same side; `labelSize` is the height of their labels' text, 0 where they have
    /// none. In device pixels, as all lengths here.
    BadgePainter(QPainter& painter, const GridInks& inks, double pixelRatio, int tileSide, int labelSize,
                 render::LabelCorner labelCorner);

    /// `room` is the part of the tile in sight.
    void paint(const TileBadge& badge, const QRect& room);

    /// Room for a plate whose text has that height.
    static QSizeF plateSize(const BadgeMark& mark, double textSize);
    static void paintPlate(QPainter& painter, const QRectF& plate, const BadgeMark& mark, double textSize,
                           const GridInks& inks);

private:
    void paintColours(const TileBadge& badge, const QRect& room);

    QPainter& m_painter;
    const GridInks& m_inks;
    double m_ratio;
    int m_labelSize;
    render::LabelCorner m_corner;
    double m_size;  // of the plates' text; 0: too small to read
};

}  // namespace hs::grid
