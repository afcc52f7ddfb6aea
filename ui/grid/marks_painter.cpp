#include "grid/marks_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs::grid {
namespace {

constexpr int kLeastSquare = 3;    // inner side of the square around a cell, in view pixels, as are all here
constexpr int kBandWithEdges = 8;  // least width of a row or column with room for edges
constexpr int kThinMarksBelow = 20;  // smaller ones have the thin marks
constexpr int kDot = 2;

}  // namespace

MarksPainter::MarksPainter(QPainter& painter, const Content& content, const render::GridLayout& places,
                           const Geometry& geometry, const Inks& inks)
    : m_painter(painter), m_content(content), m_places(places), m_geometry(geometry), m_inks(inks),
      m_view(QPoint(), geometry.pixelSize()),
      m_unit(std::max(1, static_cast<int>(std::lround(geometry.viewport().pixelRatio)))),
      m_pattern(content.tiles ? content.tiles->pattern() : stats::PatternShape()),
      m_isSmall(geometry.tileSide() < kThinMarksBelow * m_unit)
{
}

void MarksPainter::paint(const Marks& marks)
{
    const QRect seen = m_geometry.visiblePlaces();
    for (int row = seen.top(); row <= seen.bottom(); ++row)
        for (int column = seen.left(); column <= seen.right(); ++column) {
            const int index = m_places.tileAtPlace({column, row});
            if (index != render::GridLayout::kNoTile)
                paintTile(marks, m_content.heads[static_cast<std::size_t>(index)],
                          m_geometry.tile({column, row}));
        }
}

void MarksPainter::paintTile(const Marks& marks, HeadId head, const QRect& tile)
{
    const int line = (m_isSmall ? 1 : 2) * m_unit;
    const bool isHovered = marks.hoveredHead == head;
    const bool hasHoveredCell = marks.hoveredQuery && marks.hoveredKey;
    if ((isHovered && !m_isSmall) || hasHoveredCell != (marks.hoveredQuery || marks.hoveredKey))
        paintBands(tile, marks.hoveredQuery, marks.hoveredKey, m_inks.accent, isHovered);
    if (marks.pinnedQuery && marks.pinnedKey) {
        if (marks.pinnedHeads.contains(head))
            paintCells(tile, *marks.pinnedQuery, *marks.pinnedKey, line, m_inks.mark);
    } else if (marks.pinnedQuery || marks.pinnedKey) {
        paintBands(tile, marks.pinnedQuery, marks.pinnedKey, m_inks.mark, true);
    }
    if (hasHoveredCell)
        paintHovered(marks, isHovered, tile);
    if (marks.selected.contains(head))
        paintOutline(tile, line, m_inks.accent);
    if (marks.current == head)
        paintCorners(tile, marks.hasFocus ? m_inks.ink : m_inks.quiet);
}

void MarksPainter::paintHovered(const Marks& marks, bool isHovered, const QRect& tile)
{
    if (isHovered && m_isSmall)
        paintOutline(tile, m_unit, m_inks.mark);
    if (isHovered)
        paintCells(tile, *marks.hoveredQuery, *marks.hoveredKey, 2 * m_unit, m_inks.mark);
    else if (!m_isSmall)
        paintCells(tile, *marks.hoveredQuery, *marks.hoveredKey, m_unit,
                   mixed(m_inks.mark, m_inks.ground, 0.7));
}

/// Translucent bands over a row and a column of the tile, with a hairline along each edge if cells are
/// wide enough to see between them.
void MarksPainter::paintBands(const QRect& tile, const Span& query, const Span& key, QRgb colour, bool isThin)
{
    const auto band = [&](const QRect& rect, bool isRow) {
        const int thickness = isRow ? rect.height() : rect.width();
        const QRect part = rect & m_view;
        if (part.isEmpty())
            return;
        QColor veil = QColor::fromRgb(colour);
        const bool hasEdges = thickness >= kBandWithEdges * m_unit;
        veil.setAlpha(!hasEdges ? 110 : isThin ? 40 : 64);
        m_painter.fillRect(part, veil);
        if (!hasEdges)
            return;
        if (isRow) {
            fill(QRect(part.left(), rect.top(), part.width(), m_unit), colour);
            fill(QRect(part.left(), rect.bottom() + 1 - m_unit, part.width(), m_unit), colour);
        } else {
            fill(QRect(rect.left(), part.top(), m_unit, part.height()), colour);
            fill(QRect(rect.right() + 1 - m_unit, part.top(), m_unit, part.height()), colour);
        }
    };
    if (hasQuery(query)) {
        const Geometry::Range rows = pixelsOf(*query, m_pattern.queries);
        band(
            QRect(QPoint(tile.left(), tile.top() + rows.first), QPoint(tile.right(), tile.top() + rows.last)),
            true);
    }
    if (hasKey(key)) {
        const Geometry::Range columns = pixelsOf(*key, m_pattern.keys);
        band(QRect(QPoint(tile.left() + columns.first, tile.top()),
                   QPoint(tile.left() + columns.last, tile.bottom())),
             false);
    }
}

Geometry::Range MarksPainter::pixelsOf(text::TokenSpan span, int tokens) const
{
    return {m_geometry.tokenToPixels(span.first, tokens).first,
            m_geometry.tokenToPixels(span.last, tokens).last};
}

void MarksPainter::paintCells(const QRect& tile, text::TokenSpan query, text::TokenSpan key, int width,
                              QRgb colour)
{
    if (!hasQuery(query) || !hasKey(key))
        return;
    const Geometry::Range rows = pixelsOf(query, m_pattern.queries);
    const Geometry::Range columns = pixelsOf(key, m_pattern.keys);
    const QRect cells(QPoint(tile.left() + columns.first, tile.top() + rows.first),
                      QPoint(tile.left() + columns.last, tile.top() + rows.last));
    if (m_isSmall) {
        QRect dot(QPoint(), cells.size().expandedTo(QSize(kDot, kDot) * m_unit));
        dot.moveCenter(cells.center());
        fill(dot, colour);
        return;
    }
    const auto grown = [this](int side) { return (std::max(0, kLeastSquare * m_unit - side) + 1) / 2; };
    const int across = grown(cells.width());
    const int down = grown(cells.height());
    paintOutline(cells.adjusted(-across, -down, across, down), width, colour);
}

/// Brackets at the four corners, unlike the frame of a selected tile.
void MarksPainter::paintCorners(const QRect& tile, QRgb colour)
{
    const int width = (m_isSmall ? 1 : 2) * m_unit;
    const int length = std::clamp(tile.width() / 4, 2 * width, 16 * m_unit);
    const QRect outer = tile.adjusted(-2 * width, -2 * width, 2 * width, 2 * width);
    for (const bool isLeft : {true, false})
        for (const bool isTop : {true, false}) {
            const int x = isLeft ? outer.left() : outer.right() + 1 - length;
            const int y = isTop ? outer.top() : outer.bottom() + 1 - length;
            fill(QRect(x, isTop ? outer.top() : outer.bottom() + 1 - width, length, width), colour);
            fill(QRect(isLeft ? outer.left() : outer.right() + 1 - width, y, width, length), colour);
        }
}

void MarksPainter::paintOutline(const QRect& rect, int width, QRgb colour)
{
    const QRect outer = rect.adjusted(-width, -width, width, width);
    if (!outer.intersects(m_view))
        return;
    fill(QRect(outer.left(), outer.top(), outer.width(), width), colour);
    fill(QRect(outer.left(), rect.bottom() + 1, outer.width(), width), colour);
    fill(QRect(outer.left(), rect.top(), width, rect.height()), colour);
    fill(QRect(rect.right() + 1, rect.top(), width, rect.height()), colour);
}

void MarksPainter::fill(const QRect& rect, QRgb colour)
{
    const QRect part = rect & m_view;
    if (!part.isEmpty())
        m_painter.fillRect(part, QColor::fromRgb(colour));
}

}  // namespace hs::grid
