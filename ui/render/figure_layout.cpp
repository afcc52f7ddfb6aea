#include "render/figure_layout.h"

#include <algorithm>
#include <cmath>

namespace hs {
namespace {

constexpr double kLineHeight = 1.35;    // of the text size
constexpr double kColourBarWidth = 11;  // in small text sizes
constexpr double kColourBarHeight = 0.8;
constexpr int kSmallestTile = 6;
constexpr int kLargestTile = 512;

GridLayout layoutGrid(const GridPanel& panel, double tileSide)
{
    const TileMetrics metrics = TileMetrics::forSide(tileSide);
    return panel.columns > 0
               ? GridLayout::wrapped(static_cast<int>(panel.heads.size()), panel.columns, metrics)
               : GridLayout::matrix(panel.heads, metrics);
}

/// The panel with its top left corner at `at`; grows `reach` to its bottom right corner.
PanelLayout layoutPanel(const GridPanel& panel, QPointF at, double tileSide, const FigureStyle& style,
                        QPointF& reach)
{
    PanelLayout layout{{}, {}, at, layoutGrid(panel, tileSide)};
    double width = layout.grid.size().width();
    const auto takeLine = [&](const QString& text, double size, QFont::Weight weight) {
        if (text.isEmpty())
            return QRectF();
        const double needed = std::ceil(textWidth(text, size, weight)) + 1;
        const QRectF line(layout.origin, QSizeF(needed, std::round(size * kLineHeight)));
        width = std::max(width, needed);
        layout.origin.ry() += line.height();
        return line;
    };
    layout.title = takeLine(panel.title, style.title, QFont::Bold);
    layout.caption = takeLine(panel.caption, style.caption, QFont::Normal);
    if (layout.origin.y() > at.y())
        layout.origin.ry() += std::round(style.caption * 0.5);
    reach = {at.x() + width, layout.origin.y() + layout.grid.size().height()};
    return layout;
}

/// Note on the left and colour bar on the right of one line below the panels.
void layoutFooter(FigureLayout& layout, const GridFigure& figure, const FigureStyle& style, QPointF& reach)
{
    if (figure.note.isEmpty() && !figure.hasColourBar)
        return;
    const double top = reach.y() + style.small;
    const double lineHeight = std::round(style.small * kLineHeight);
    const double barWidth = figure.hasColourBar ? std::round(style.small * kColourBarWidth) : 0;
    const double noteWidth =
        figure.note.isEmpty() ? 0 : std::ceil(textWidth(figure.note, style.small, QFont::Normal)) + 1;
    const double between = noteWidth > 0 && barWidth > 0 ? style.panelGap : 0;
    reach.setX(std::max(reach.x(), style.margin + noteWidth + between + barWidth));
    layout.note = QRectF(style.margin, top, noteWidth, lineHeight);
    reach.setY(layout.note.bottom());
    if (figure.hasColourBar) {
        // The numbers under the bar's ends are centred there and reach half a digit to either side.
        const double right = reach.x() - style.small * 0.3;
        layout.colourBar =
            QRectF(right - barWidth, top, barWidth, std::round(style.small * kColourBarHeight));
        reach.setY(layout.colourBar.bottom() + lineHeight);
    }
}

}  // namespace

std::optional<TileAddress> FigureLayout::tileAt(QPointF point) const
{
    for (std::size_t panel = 0; panel < panels.size(); ++panel) {
        const int tile = panels[panel].grid.tileAt(point - panels[panel].origin);
        if (tile != GridLayout::kNoTile)
            return TileAddress{static_cast<int>(panel), tile};
    }
    return std::nullopt;
}

FigureLayout layoutFigure(const GridFigure& figure, double tileSide, const FigureStyle& style)
{
    FigureLayout layout;
    layout.tileSide = tileSide;
    QPointF at(style.margin, style.margin);
    QPointF reach = at;
    for (const GridPanel& panel : figure.panels) {
        QPointF corner;
        layout.panels.push_back(layoutPanel(panel, at, tileSide, style, corner));
        reach = {std::max(reach.x(), corner.x()), std::max(reach.y(), corner.y())};
        if (figure.flow == GridFigure::Flow::SideBySide)
            at.setX(corner.x() + style.panelGap);
        else
            at.setY(corner.y() + style.panelGap);
    }
    layoutFooter(layout, figure, style, reach);
    layout.size = {reach.x() + style.margin, reach.y() + style.margin};
    return layout;
}

FigureLayout fitFigure(const GridFigure& figure, QSizeF room, const FigureStyle& style)
{
    int fits = kSmallestTile;
    int tooLarge = kLargestTile + 1;
    while (tooLarge - fits > 1) {
        const int side = (fits + tooLarge) / 2;
        const QSizeF size = layoutFigure(figure, side, style).size;
        (size.width() <= room.width() && size.height() <= room.height() ? fits : tooLarge) = side;
    }
    return layoutFigure(figure, fits, style);
}

}  // namespace hs
