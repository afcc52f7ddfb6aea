#pragma once

#include "render/figure_layout.h"

class QPainter;

namespace hs {

/// Draws a laid-out figure: the painter behind PNG, SVG and PDF. The ground is the
/// caller's and should be white. Tiles keep to whole device pixels where the device has pixels, so
/// that cells stay crisp; nothing is transparent, which many printers and journals ask for.
class GridPainter {
public:
    GridPainter(QPainter& painter, const GridFigure& figure, const FigureStyle& style);

    void paint(const FigureLayout& layout);

private:
    void paintTile(const GridPanel& panel, HeadId head, const QRectF& place);
    void paintCells(const GridPanel& panel, HeadId head, const QRectF& place);
    void paintLabel(const GridPanel& panel, HeadId head, const QRectF& tile);
    void paintColourBar(const QRectF& place);
    void paintLine(const QRectF& line, const QString& text, double size, QFont::Weight weight, QRgb ink);
    void paintText(QPointF baseline, const QString& text, double size, QFont::Weight weight, QRgb ink);

    QRectF snapped(const QRectF& rect) const;
    double frameWidth() const;
    double devicePixelsPerUnit() const;

    QPainter& m_painter;
    const GridFigure& m_figure;
    FigureStyle m_style;
    ColourMap m_map;
    QList<QRgb> m_colours;  // of the tile's 256 levels
    bool m_isVector;
};

}  // namespace hs
