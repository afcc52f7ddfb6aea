#include "render/grid_painter.h"

#include "render/colour_bar.h"
#include "render/tile_image.h"
#include "render/tile_marks.h"

#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs {
namespace {

constexpr double kLegiblePixels = 6;    // labels below this height are left out
constexpr int kVectorTilePixels = 192;  // enough that a viewer's smoothing does not blur cells

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
        paintHatching(m_painter, tile, 1, m_style.frame, FigureStyle::kHatchGround, FigureStyle::kHatchLine);
    else
        paintCells(panel, head, tile);
    paintFrame(m_painter, tile, frameWidth(), FigureStyle::kFrame);
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

double GridPainter::frameWidth() const
{
    if (m_isVector)
        return m_style.frame;
    return std::max(1.0, std::round(m_style.frame * devicePixelsPerUnit())) / devicePixelsPerUnit();
}

void GridPainter::paintLabel(const GridPanel& panel, HeadId head, const QRectF& tile)
{
    const double size = labelSize(tile.width(), m_style.leastLabel);
    if (!m_isVector && size * devicePixelsPerUnit() < kLegiblePixels)
        return;
    const QString text = QString::fromStdString(toString(head));
    const double width = textWidth(text, size, QFont::DemiBold);
    const QRectF capitals = labelCapitals(tile, m_figure.labelCorner, width, size);

    const bool isAblated = panel.ablated.contains(head);
    const bool isOnDark = m_map.startsDark() && !isAblated;
    if (isAblated || hasWeightUnder(panel, head, tile, capitals)) {
        const QRgb halo = isAblated ? FigureStyle::kHatchGround : m_map.at(0);
        paintHalo(m_painter, textOutline(capitals.bottomLeft(), text, size, QFont::DemiBold), size, halo);
    }
    const QRgb ink = isAblated ? FigureStyle::kQuietInk : isOnDark ? FigureStyle::kPaper : FigureStyle::kInk;
    paintText(capitals.bottomLeft(), text, size, QFont::DemiBold, ink);
    if (isAblated)
        paintStrike(m_painter, capitals, size, FigureStyle::kInk);
}

void GridPainter::paintColourBar(const QRectF& place)
{
    const QRectF bar = snapped(place);
    paintColours(m_painter, bar, m_map);
    paintFrame(m_painter, bar, frameWidth(), FigureStyle::kFrame);
    for (const ColourTick tick : colourTicks(m_figure.scale, false)) {
        const double x = bar.left() + bar.width() * tick.place;
        const QString text = QString::number(tick.value);
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
