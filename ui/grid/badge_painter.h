#pragma once

#include "grid/inks.h"
#include "grid/tile_badge.h"
#include "render/label_corner.h"

#include <QRect>

class QPainter;

namespace hs::grid {

/// Paints plates on tiles, in the upper right half, which has no cells: below a label at the top,
/// otherwise in the corner. On tiles too small for text a badge is a dot, in its colour.
class BadgePainter {
public:
    /// All tiles have the same side; `labelSize` is the height of their labels' text, 0 if they have
    /// none. In device pixels, like all lengths here.
    BadgePainter(QPainter& painter, const Inks& inks, double pixelRatio, int tileSide, int labelSize,
                 render::LabelCorner labelCorner);

    /// `room` is the visible part of the tile.
    void paint(const TileBadge& badge, const QRect& room);

    /// Room for a plate with text of that height.
    static QSizeF plateSize(const BadgeMark& mark, double textSize);
    static void paintPlate(QPainter& painter, const QRectF& plate, const BadgeMark& mark, double textSize,
                           const Inks& inks);

private:
    void paintDots(const TileBadge& badge, const QRect& room);

    QPainter& m_painter;
    const Inks& m_inks;
    double m_ratio;
    int m_labelSize;
    render::LabelCorner m_corner;
    double m_size;  // of the plates' text; 0: too small to read
};

}  // namespace hs::grid
