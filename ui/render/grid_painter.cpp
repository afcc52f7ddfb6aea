#include "render/grid_painter.h"

#include "render/tile_image.h"

#include <QLinearGradient>
#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs {
namespace {

// Label sizes as shares of the tile's side: the usual one, and the largest that leaves cells in sight.
constexpr double kLabelShare = 0.135;
constexpr double kLargestLabelShare = 0.17;
constexpr double kLargestLabel = 11;
constexpr double kCapitalHeight = 0.73;
constexpr double kHaloWidth = 0.55;
constexpr double kLegiblePixels = 6;    // labels below this height are left out
constexpr int kVectorTilePixels = 192;  // enough that a viewer's smoothing does not blur cells

double labelSize(double tileSide, const FigureStyle& style)
{
    const double wanted = std::clamp(kLabelShare * tileSide, style.leastLabel, kLargestLabel);
    return std::min(wanted, kLargestLabelShare * tileSide);
}

/// Whether any weight is drawn where `part` of the tile lies.
bool hasWeightUnder(const GridPanel& panel, HeadId head, const QRectF& tile, const QRectF& part)
{
    const int side = panel.result.tileSide;
    const std::uint8_t* weights = panel.result.tileOf(head);
    const auto cell = [&](double offset) {
        return std::clamp(static_cast<int>(std::floor(offset / tile.width() * side)), 0, side - 1);
    };
    const int firstColumn = cell(part.left() - tile.left());
    const int lastColumn = cell(part.right() - tile.left());
    const int lastRow = cell(part.bottom() - tile.top());
    for (int row = cell(part.top() - tile.top()); row <= lastRow; ++row) {
        const std::uint8_t* line = weights + static_cast<std::size_t>(row) * static_cast<std::size_t>(side);
        if (std::any_of(line + firstColumn, line + lastColumn + 1,
                        [](std::uint8_t weight) { return weight > 0; }))
            return true;
    }
    return false;
}

bool isVectorDevice(const QPainter& painter)
{
    const QPaintEngine::Type type = painter.paintEngine()->type();
    return type == QPaintEngine::SVG || type == QPaintEngine::Pdf;
}

}  // namespace

GridPainter::GridPainter(QPainter& painter, const GridFigure& figure, const FigureStyle& style)
    : m_painter(painter), m_figure(figure), m_style(style), m_map(ColourMap::named(figure.colourMap)),
      m_colours(m_map.table(figure.scale)), m_isVector(isVectorDevice(painter))
{
}

void GridPainter::paint(const FigureLayout& layout)
{
    m_painter.save();
    m_painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing |
                             QPainter::LosslessImageRendering);
    m_painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    for (std::size_t index = 0; index < layout.panels.size(); ++index) {
        const GridPanel& panel = m_figure.panels[index];
        const PanelLayout& place = layout.panels[index];
        paintLine(place.title, panel.title, m_style.title, QFont::Bold, FigureStyle::kInk);
        paintLine(place.caption, panel.caption, m_style.caption, QFont::Normal, FigureStyle::kQuietInk);
        for (int tile = 0; tile < place.grid.count(); ++tile)
            paintTile(panel, panel.heads[static_cast<std::size_t>(tile)], place.tile(tile));
    }
    paintLine(layout.note, m_figure.note, m_style.small, QFont::Normal, FigureStyle::kQuietInk);
    if (m_figure.hasColourBar)
        paintColourBar(layout.colourBar);
    m_painter.restore();
}

void GridPainter::paintTile(const GridPanel& panel, HeadId head, const QRectF& place)
{
    const QRectF tile = snapped(place);
    const bool isAblated = panel.ablated.contains(head);
    if (isAblated)
        paintHatching(tile);
    else
        paintCells(panel, head, tile);
    paintFrame(tile);
    paintLabel(panel, head, tile);
}

void GridPainter::paintCells(const GridPanel& panel, HeadId head, const QRectF& place)
{
    const int side = panel.result.tileSide;
    const std::uint8_t* tile = panel.result.tileOf(head);
    if (isBlank(tile, side)) {
        m_painter.fillRect(place, QColor::fromRgb(m_map.at(0)));
        return;
    }
    const int pixels = m_isVector ? side * std::max(1, (kVectorTilePixels + side - 1) / side)
                                  : static_cast<int>(std::lround(place.width() * devicePixelsPerUnit()));
    m_painter.drawImage(place, tileImage(tile, side, QSize(pixels, pixels), m_colours));
}

void GridPainter::paintFrame(const QRectF& rect)
{
    const double width =
        m_isVector ? m_style.frame
                   : std::max(1.0, std::round(m_style.frame * devicePixelsPerUnit())) / devicePixelsPerUnit();
    m_painter.setPen(
        QPen(QColor::fromRgb(FigureStyle::kFrame), width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(rect.adjusted(-width / 2, -width / 2, width / 2, width / 2));
}

void GridPainter::paintHatching(const QRectF& place)
{
    m_painter.fillRect(place, QColor::fromRgb(FigureStyle::kHatchGround));
    m_painter.setPen(
        QPen(QColor::fromRgb(FigureStyle::kHatchLine), m_style.frame, Qt::SolidLine, Qt::FlatCap));
    const double side = place.width();
    const double step = std::clamp(side / 8, 2.5, 8.0);
    // Rising lines x + y = sum, cut off at the square's edges.
    for (double sum = step; sum < 2 * side; sum += step) {
        const double low = std::max(0.0, sum - side);
        const double high = std::min(sum, side);
        m_painter.drawLine(place.topLeft() + QPointF(low, high), place.topLeft() + QPointF(high, low));
    }
}

void GridPainter::paintLabel(const GridPanel& panel, HeadId head, const QRectF& tile)
{
    const double size = labelSize(tile.width(), m_style);
    if (!m_isVector && size * devicePixelsPerUnit() < kLegiblePixels)
        return;
    const QString text = QString::fromStdString(toString(head));
    const double width = textWidth(text, size, QFont::DemiBold);
    const double inset = 0.45 * size;
    const bool isLeft = m_figure.labelCorner == LabelCorner::TopLeft;
    const QRectF capitals(isLeft ? tile.left() + inset : tile.right() - inset - width,
                          tile.top() + 1.1 * inset, width, kCapitalHeight * size);

    const bool isAblated = panel.ablated.contains(head);
    const bool isOnDark = m_map.startsDark() && !isAblated;
    if (isAblated || hasWeightUnder(panel, head, tile, capitals)) {
        const QRgb halo = isAblated ? FigureStyle::kHatchGround : m_map.at(0);
        m_painter.strokePath(
            textOutline(capitals.bottomLeft(), text, size, QFont::DemiBold),
            QPen(QColor::fromRgb(halo), kHaloWidth * size, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    }
    const QRgb ink = isAblated ? FigureStyle::kQuietInk : isOnDark ? FigureStyle::kPaper : FigureStyle::kInk;
    paintText(capitals.bottomLeft(), text, size, QFont::DemiBold, ink);
    if (isAblated) {
        m_painter.setPen(QPen(QColor::fromRgb(FigureStyle::kInk), 0.1 * size));
        m_painter.drawLine(QPointF(capitals.left() - 0.1 * size, capitals.center().y()),
                           QPointF(capitals.right() + 0.1 * size, capitals.center().y()));
    }
}

void GridPainter::paintColourBar(const QRectF& place)
{
    const QRectF bar = snapped(place);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int level = 0; level < 256; level += 15)
        gradient.setColorAt(level / 255.0, QColor::fromRgb(m_map.at(level)));
    m_painter.fillRect(bar, gradient);
    paintFrame(bar);

    const std::vector<double> ticks =
        m_figure.scale == Scale::Linear ? std::vector{0.0, 0.5, 1.0} : std::vector{0.0, 0.1, 0.5, 1.0};
    for (const double weight : ticks) {
        const double x = bar.left() + bar.width() * scaled(weight, m_figure.scale);
        const QString text = QString::number(weight);
        const double width = textWidth(text, m_style.small, QFont::Normal) + 1;
        paintLine(QRectF(x - width / 2, bar.bottom() + m_style.small * 0.15, width, m_style.small * 1.35),
                  text, m_style.small, QFont::Normal, FigureStyle::kQuietInk);
    }
}

void GridPainter::paintLine(const QRectF& line, const QString& text, double size, QFont::Weight weight,
                            QRgb ink)
{
    if (!text.isEmpty())
        paintText(QPointF(line.left(), line.top() + size), text, size, weight, ink);
}

void GridPainter::paintText(QPointF baseline, const QString& text, double size, QFont::Weight weight,
                            QRgb ink)
{
    // Large glyphs come out of the font rasteriser bolder than they are drawn; outlines do not.
    if (!m_isVector && devicePixelsPerUnit() >= 2) {
        m_painter.fillPath(textOutline(baseline, text, size, weight), QColor::fromRgb(ink));
        return;
    }
    m_painter.setFont(figureFont(m_painter.device(), size, weight));
    m_painter.setPen(QColor::fromRgb(ink));
    m_painter.drawText(baseline, text);
}

QRectF GridPainter::snapped(const QRectF& rect) const
{
    if (m_isVector)
        return rect;
    const QTransform toDevice = m_painter.deviceTransform();
    const QPointF corner = toDevice.map(rect.topLeft());
    const auto wholePixels = [this](double length) {
        return std::max(1.0, std::round(length * devicePixelsPerUnit()));
    };
    return toDevice.inverted().mapRect(QRectF(std::round(corner.x()), std::round(corner.y()),
                                              wholePixels(rect.width()), wholePixels(rect.height())));
}

double GridPainter::devicePixelsPerUnit() const
{
    return m_painter.deviceTransform().m11();
}

}  // namespace hs
