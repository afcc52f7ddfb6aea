#pragma once

#include "grid/content.h"
#include "grid/geometry.h"
#include "grid/inks.h"

class QPainter;

namespace hs::grid {

/// Draws a grid's marks on top of its picture: pinned and hovered cells, rows and columns, selected
/// tiles, the tile with the keyboard's focus. On tiles too small to read, lines are thin, a cell is a dot, and
/// only the hovered tile shows the hovered cell. The painter works in device pixels.
class MarksPainter {
public:
    MarksPainter(QPainter& painter, const Content& content, const render::GridLayout& places,
                 const Geometry& geometry, const Inks& inks);

    void paint(const Marks& marks);

private:
    using Span = std::optional<text::TokenSpan>;

    void paintTile(const Marks& marks, HeadId head, const QRect& tile);
    void paintHovered(const Marks& marks, bool isHovered, const QRect& tile);
    void paintBands(const QRect& tile, const Span& query, const Span& key, QRgb colour, bool isThin);
    /// A line around the cells; a dot if there is no room for one.
    void paintCells(const QRect& tile, text::TokenSpan query, text::TokenSpan key, int width, QRgb colour);
    void paintCorners(const QRect& tile, QRgb colour);
    void paintOutline(const QRect& rect, int width, QRgb colour);
    void fill(const QRect& rect, QRgb colour);
    /// The pixels of some of an axis's `tokens`.
    Geometry::Range pixelsOf(text::TokenSpan span, int tokens) const;
    bool hasQuery(const Span& span) const { return isInside(span, m_pattern.queries); }
    bool hasKey(const Span& span) const { return isInside(span, m_pattern.keys); }
    static bool isInside(const Span& span, int tokens)
    {
        return span && span->first >= 0 && span->last < tokens;
    }

    QPainter& m_painter;
    const Content& m_content;
    const render::GridLayout& m_places;
    const Geometry& m_geometry;
    const Inks& m_inks;
    QRect m_view;
    int m_unit;  // device pixels per view pixel
    stats::PatternShape m_pattern;
    bool m_isSmall;  // tiles are too small to read
};

}  // namespace hs::grid
