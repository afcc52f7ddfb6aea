#pragma once

#include "render/tile_pyramid.h"

#include <QImage>
#include <QPoint>
#include <QSize>

#include <array>
#include <cstddef>
#include <vector>

namespace hs::render {

/// Colours of the 256 values a tile's cell can have.
using CellColours = std::array<QRgb, 256>;

/// A range of a tile's pixels along one axis, [begin, end).
struct TilePixels {
    int side = 1;  // of the whole tile
    int begin = 0;
    int end = 1;

    friend bool operator==(const TilePixels&, const TilePixels&) = default;
};

/// The cells of a pyramid's level that each pixel of a tile covers. If the tile has at least as many
/// pixels as cells, the one under the pixel's centre; otherwise all that the pixel overlaps.
class CellSpans {
public:
    struct Span {
        int first = 0;
        int last = 0;  // inclusive
    };

    CellSpans() = default;
    CellSpans(int side, int level, int levelSide, TilePixels pixels);

    bool isPooled() const { return m_isPooled; }
    const std::vector<Span>& spans() const { return m_spans; }  // [pixel - pixels.begin]

private:
    std::vector<Span> m_spans;
    bool m_isPooled = false;
};

/// Draws many tiles straight into the pixels of one picture: crisp cells where a tile has more pixels
/// than cells, the largest of all cells that a pixel overlaps where it has fewer. `image` is
/// Format_RGB32 and must outlive this object.
class TileRaster {
public:
    explicit TileRaster(QImage& image);

    /// The tile with its top left corner at `corner`, `side` pixels per side, whatever the number of its rows and
    /// columns; parts outside the image are left out.
    void draw(const TilePyramid& tiles, HeadId head, QPoint corner, int side, const CellColours& colours,
              bool hidesFirst);

private:
    struct Axis {
        const TilePyramid* tiles = nullptr;
        int level = -1;
        TilePixels pixels;
        CellSpans spans;
    };

    /// `side` cells of the largest level along the axis, `levelSide` of the level.
    static const CellSpans& spansOf(Axis& axis, const TilePyramid& tiles, int level, int side, int levelSide,
                                    TilePixels pixels);
    void drawCrisp(const std::uint8_t* cells, int levelColumns, const std::uint8_t* firstColumn, QPoint at,
                   const CellColours& colours);
    void drawPooled(const std::uint8_t* cells, int levelColumns, const std::uint8_t* firstColumn, QPoint at,
                    const CellColours& colours, bool isDifference);

    QRgb* pixelsAt(QPoint at) const { return m_pixels + std::ptrdiff_t{at.y()} * m_stride + at.x(); }

    QRgb* m_pixels;           // [y, x]
    std::ptrdiff_t m_stride;  // pixels from one line to the next
    QSize m_size;
    Axis m_columns;
    Axis m_rows;
    std::vector<std::uint8_t> m_line;
};

/// One head's colours with full colour at the byte `peak`, which may be beyond 255.
CellColours normalised(const CellColours& colours, int peak, TilePyramid::Meaning meaning);

}  // namespace hs::render
