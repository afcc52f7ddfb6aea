#include "render/tile_marks.h"

#include <QPainter>

#include <algorithm>

namespace hs::render {
namespace {

// Label sizes as shares of the tile's side: the usual one, and the largest that leaves cells visible.
constexpr double kLabelShare = 0.135;
constexpr double kLargestLabelShare = 0.2;
constexpr double kLargestLabel = 11;
constexpr double kCapitalHeight = 0.73;
constexpr double kHaloWidth = 0.55;

}  // namespace

QList<QLineF> hatchLines(const QRectF& rect, Hatching hatching, double step)
{
    const auto at = [&](double x, double sum) {
        return rect.topLeft() + QPointF(hatching == Hatching::Rising ? x : rect.width() - x, sum - x);
    };
    // Rising lines x + y = sum; falling ones are their mirror image.
    QList<QLineF> lines;
    for (double sum = step; sum < rect.width() + rect.height(); sum += step)
        lines << QLineF(at(std::max(0.0, sum - rect.height()), sum), at(std::min(sum, rect.width()), sum));
    return lines;
}

void paintHatching(QPainter& painter, const QRectF& rect, Hatching hatching, double unit, double lineWidth,
                   QRgb ground, QRgb line)
{
    painter.fillRect(rect, QColor::fromRgb(ground));
    painter.setPen(QPen(QColor::fromRgb(line), lineWidth, Qt::SolidLine, Qt::FlatCap));
    const double side = std::max(rect.width(), rect.height());
    for (const QLineF& one : hatchLines(rect, hatching, std::clamp(side / 8, 2.5 * unit, 8 * unit)))
        painter.drawLine(one);
}

void paintFrame(QPainter& painter, const QRectF& rect, double width, QRgb colour)
{
    painter.setPen(QPen(QColor::fromRgb(colour), width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(-width / 2, -width / 2, width / 2, width / 2));
}

double labelSize(double tileSide, double least)
{
    const double wanted = std::clamp(kLabelShare * tileSide, least, std::max(least, kLargestLabel));
    return std::min(wanted, kLargestLabelShare * tileSide);
}

QRectF labelCapitals(const QRectF& tile, LabelCorner corner, double textWidth, double size)
{
    const double inset = 0.45 * size;
    const double height = kCapitalHeight * size;
    const bool isLeft = corner == LabelCorner::TopLeft || corner == LabelCorner::BottomLeft;
    const bool isTop = corner == LabelCorner::TopLeft || corner == LabelCorner::TopRight;
    return {isLeft ? tile.left() + inset : tile.right() - inset - textWidth,
            isTop ? tile.top() + 1.1 * inset : tile.bottom() - 1.1 * inset - height, textWidth, height};
}

void paintHalo(QPainter& painter, const QPainterPath& outline, double size, QRgb halo)
{
    painter.strokePath(
        outline, QPen(QColor::fromRgb(halo), kHaloWidth * size, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
}

void paintStrike(QPainter& painter, const QRectF& capitals, double size, QRgb ink)
{
    painter.setPen(QPen(QColor::fromRgb(ink), 0.1 * size));
    painter.drawLine(QPointF(capitals.left() - 0.1 * size, capitals.center().y()),
                     QPointF(capitals.right() + 0.1 * size, capitals.center().y()));
}

}  // namespace hs::render
