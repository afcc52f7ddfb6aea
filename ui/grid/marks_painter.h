#pragma once

#include "grid/content.h"
#include "grid/geometry.h"
#include "grid/inks.h"

class QPainter;

namespace hs::grid {

/// Draws a grid's marks on top of its picture: pinned and hovered cells, rows and columns, selected
/// tiles, the tile with the keyboard's focus. The painter works in device pixels.
class MarksPainter {
public:
    MarksPainter(QPainter& painter, const Content& content, const render::GridLayout& places,
                 const Geometry& geometry, const Inks& inks);

    void paint(const Marks& marks);

private:
    struct Cell {
        std::optional<int> query;
        std::optional<int> key;
    };

    void paintTile(const Marks& marks, HeadId head, const QRect& tile);
    void paintBands(const QRect& tile, const Cell& cell, QRgb colour, bool isThin);
    void paintSquare(const QRect& tile, int query, int key, int width, QRgb colour);
    void paintCorners(const QRect& tile, QRgb colour);
    void paintOutline(const QRect& rect, int width, QRgb colour);
    void fill(const QRect& rect, QRgb colour);
    QRect cellIn(const QRect& tile, int query, int key) const;

    QPainter& m_painter;
    const Content& m_content;
    const render::GridLayout& m_places;
    const Geometry& m_geometry;
    const Inks& m_inks;
    QRect m_view;
    int m_unit;  // device pixels per view pixel
    int m_tokens;
};

}  // namespace hs::grid
