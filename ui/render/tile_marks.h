#pragma once

#include "render/figure_style.h"
#include "render/label_corner.h"

#include <QLineF>
#include <QList>
#include <QRectF>

class QPainter;

namespace hs::render {

/// What is drawn on and around a tile, the same on paper and on screen.

/// Lines that rise from left to right mark heads that are switched off, falling ones heads that have
/// another run's output.
enum class Hatching { Rising, Falling };

/// Parallel lines, `step` apart along an edge, cut off at the rectangle's edges.
QList<QLineF> hatchLines(const QRectF& rect, Hatching hatching, double step);

/// Lines over an even ground. `unit` is the length of one figure unit (a point, a pixel at 100 %),
/// which keeps the spacing of lines the same on any device.
void paintHatching(QPainter& painter, const QRectF& rect, Hatching hatching, double unit, double lineWidth,
                   QRgb ground, QRgb line);

/// A line of `width` around `rect`, outside it.
void paintFrame(QPainter& painter, const QRectF& rect, double width, QRgb colour);

/// Height of a label's text in a tile.
double labelSize(double tileSide, double least);

/// Where a label's capitals are: their bottom left corner is the start of the text's baseline.
QRectF labelCapitals(const QRectF& tile, LabelCorner corner, double textWidth, double size);

/// A rim around text that keeps it legible on any cell.
void paintHalo(QPainter& painter, const QPainterPath& outline, double size, QRgb halo);

/// The line through the label of an ablated head.
void paintStrike(QPainter& painter, const QRectF& capitals, double size, QRgb ink);

}  // namespace hs::render
