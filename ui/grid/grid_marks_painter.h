#pragma once

#include "grid/grid_content.h"
#include "grid/grid_geometry.h"
#include "grid/grid_inks.h"

class QPainter;

namespace hs::grid {

/// Draws a grid's marks on top of its picture: pinned and hovered cells, rows and columns, selected
/// tiles, the tile with the keyboard's focus. The painter works in device pixels.
class GridMarksPainter {
public:
    GridMarksPainter(QPainter& painter, const GridContent& content, const render::GridLayout& places,
                     const GridGeometry& geometry, const GridInks& inks);

    void paint(const GridMarks& marks);

private:
    struct Cell {
        std::optional<int> query;
        std::optional<int> key;
    };

    void paintTile(const GridMarks& marks, HeadId head, const QRect& tile);
    void paintBands(const QRect& tile, const Cell& cell, QRgb colour, bool isThin);
    void paintSquare(const QRect& tile, int query, int key, int width, QRgb colour);
    void paintCorners(const QRect& tile, QRgb colour);
    void paintOutline(const QRect& rect, int width, QRgb colour);
    void fill(const QRect& rect, QRgb colour);
    QRect cellIn(const QRect& tile, int query, int key) const;

    QPainter& m_painter;
    const GridContent& m_content;
    const render::GridLayout& m_places;
    const GridGeometry& m_geometry;
    const GridInks& m_inks;
    QRect m_view;
    int m_unit;  // device pixels per view pixel
    int m_tokens;
};

}  // namespace hs::grid
