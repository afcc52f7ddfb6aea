#include "grid/badge_painter.h"

#include "render/figure_style.h"
#include "render/tile_marks.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace hs::grid {
namespace {

constexpr QFont::Weight kWeight = QFont::DemiBold;
constexpr double kCapitals = 0.73;  // height of digits and capitals as a share of the text's
constexpr double kLeastText = 7;    // in view pixels, as are the following
constexpr int kSmallestReadTile = 20;
constexpr double kDotShare = 0.3;  // of the tile's side
constexpr double kLeastDot = 2;

/// Far apart in hue and lightness, and all distinct from the blue of cells.
constexpr std::array<QRgb, 8> kRoleColours = {0xffe08a2e, 0xfff2cf4a, 0xffc8323c, 0xff2f9e5b,
                                              0xff8250df, 0xff2fb5b5, 0xffe07fb2, 0xff8a5a3c};

QRgb plateColour(const BadgeMark& mark, const Inks& inks)
{
    return mark.role < 0 ? inks.ink : kRoleColours[static_cast<std::size_t>(mark.role) % kRoleColours.size()];
}

QRgb textColour(const BadgeMark& mark, const Inks& inks)
{
    if (mark.role < 0)
        return inks.ground;
    return qGray(plateColour(mark, inks)) > 130 ? render::FigureStyle::kInk : render::FigureStyle::kPaper;
}

}  // namespace

BadgePainter::BadgePainter(QPainter& painter, const Inks& inks, double pixelRatio, int tileSide,
                           int labelSize, render::LabelCorner labelCorner)
    : m_painter(painter), m_inks(inks), m_ratio(pixelRatio), m_labelSize(labelSize), m_corner(labelCorner),
      m_size(labelSize > 0                                ? labelSize
             : tileSide >= kSmallestReadTile * pixelRatio ? kLeastText * pixelRatio
                                                          : 0)
{
}

QSizeF BadgePainter::plateSize(const BadgeMark& mark, double textSize)
{
    const double height = 1.3 * textSize;
    return {std::max(height, render::textWidth(mark.text, textSize, kWeight) + 0.6 * textSize), height};
}

void BadgePainter::paintPlate(QPainter& painter, const QRectF& plate, const BadgeMark& mark, double textSize,
                              const Inks& inks)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor::fromRgb(plateColour(mark, inks)));
    painter.drawRoundedRect(plate, 0.3 * textSize, 0.3 * textSize);
    const QPointF baseline(plate.center().x() - render::textWidth(mark.text, textSize, kWeight) / 2,
                           plate.center().y() + kCapitals * textSize / 2);
    painter.fillPath(render::textOutline(baseline, mark.text, textSize, kWeight),
                     QColor::fromRgb(textColour(mark, inks)));
}

void BadgePainter::paint(const TileBadge& badge, const QRect& room)
{
    if (m_size <= 0)
        return paintDots(badge, room);
    const double rim = std::max(1.0, 0.12 * m_size);
    QPointF corner(QRectF(room).right() - rim, room.top() + rim);
    if (m_labelSize > 0) {
        const QRectF label =
            render::labelCapitals(QRectF(room), render::LabelCorner::TopRight, 0, m_labelSize);
        const bool isBelow =
            m_corner == render::LabelCorner::TopRight || m_corner == render::LabelCorner::TopLeft;
        corner = isBelow ? label.bottomRight() + QPointF(0, 0.5 * m_size) : label.topRight();
        const QSizeF size = plateSize(badge.marks.back(), m_size);
        if (corner.y() + size.height() - room.top() > corner.x() - size.width() - 2 * rim - room.left())
            corner.setX(QRectF(room).right() - rim);  // on narrow tiles at the edge, above the diagonal
    }
    for (auto mark = badge.marks.rbegin(); mark != badge.marks.rend(); ++mark) {
        const QSizeF size = plateSize(*mark, m_size);
        const QRectF plate(QPointF(corner.x() - size.width(), corner.y()), size);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(QColor::fromRgb(m_inks.ground));
        m_painter.drawRoundedRect(plate.adjusted(-rim, -rim, rim, rim), 0.4 * m_size, 0.4 * m_size);
        paintPlate(m_painter, plate, *mark, m_size, m_inks);
        corner.rx() = plate.left() - 0.25 * m_size;
    }
}

void BadgePainter::paintDots(const TileBadge& badge, const QRect& room)
{
    const double side = std::max(kLeastDot * m_ratio, std::round(kDotShare * room.width()));
    double right = room.right() + 1;
    for (auto mark = badge.marks.begin(); mark != badge.marks.end() && right - side >= room.left(); ++mark) {
        m_painter.fillRect(QRectF(right - side, room.top(), side, side),
                           QColor::fromRgb(plateColour(*mark, m_inks)));
        right -= side;
    }
}

}  // namespace hs::grid
