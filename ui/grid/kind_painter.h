#pragma once

#include "grid/content.h"
#include "grid/inks.h"

#include <QRect>

class QPainter;

namespace hs::grid {

QString kindTitle(stats::HeadKind kind);
/// Far apart for colour-blind readers, too, and distinct from the blue of cells.
QRgb kindColour(stats::HeadKind kind, const Inks& inks);

/// Paints what a head does: a strip along the tile's left edge in the colour of its kind, outside the
/// cells, and a wedge above the first column if that is where most of the weight goes. All tiles have the
/// same side. In device pixels, like all lengths here.
class KindPainter {
public:
    KindPainter(QPainter& painter, const Inks& inks, double pixelRatio, int tileSide);

    void paint(const Content& content, HeadId head, const QRect& tile) const;

private:
    QPainter& m_painter;
    const Inks& m_inks;
    int m_strip;    // its width
    double m_sink;  // side of the wedge; 0: the tile is too small
};

}  // namespace hs::grid
