#include "render/tile_raster.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace hs::render {
namespace {

/// The visible part of a tile that starts at `corner`, on a line of `length` pixels.
TilePixels seen(int corner, int side, int length)
{
    return {side, std::max(0, -corner), std::min(side, length - corner)};
}

}  // namespace

CellSpans::CellSpans(int side, int level, int levelSide, TilePixels pixels) : m_isPooled(pixels.side < side)
{
    m_spans.reserve(static_cast<std::size_t>(std::max(0, pixels.end - pixels.begin)));
    for (int pixel = pixels.begin; pixel < pixels.end; ++pixel) {
        const std::int64_t start = std::int64_t{pixel} * side;
        Span span;
        if (m_isPooled) {
            span.first = static_cast<int>(start / pixels.side) >> level;
            span.last = static_cast<int>((start + side - 1) / pixels.side) >> level;
        } else {
            span.first = static_cast<int>((2 * start + side) / (2 * std::int64_t{pixels.side}));
            span.last = span.first;
        }
        span.last = std::min(span.last, levelSide - 1);
        m_spans.push_back(span);
    }
}

TileRaster::TileRaster(QImage& image)
    : m_pixels(reinterpret_cast<QRgb*>(image.bits())),
      m_stride(image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb))), m_size(image.size())
{
}

const CellSpans& TileRaster::spansOf(Axis& axis, const TilePyramid& tiles, int level, int side, int levelSide,
                                     TilePixels pixels)
{
    if (axis.tiles != &tiles || axis.level != level || axis.pixels != pixels)
        axis = {&tiles, level, pixels, CellSpans(side, level, levelSide, pixels)};
    return axis.spans;
}

void TileRaster::draw(const TilePyramid& tiles, HeadId head, QPoint corner, int side,
                      const CellColours& colours, bool hidesFirst)
{
    const TilePixels across = seen(corner.x(), side, m_size.width());
    const TilePixels down = seen(corner.y(), side, m_size.height());
    if (across.begin >= across.end || down.begin >= down.end)
        return;
    const QPoint at(corner.x() + across.begin, corner.y() + down.begin);
    if (tiles.peak(head, hidesFirst) == 0) {
        const QRgb ground = colours[tiles.meaning() == TilePyramid::Meaning::Signed ? 128 : 0];
        for (int y = 0; y < down.end - down.begin; ++y)
            std::fill_n(pixelsAt(at + QPoint(0, y)), across.end - across.begin, ground);
        return;
    }
    const int level = tiles.levelFor(side);
    const int levelColumns = tiles.columns(level);
    const CellSpans& columns = spansOf(m_columns, tiles, level, tiles.columns(), levelColumns, across);
    const CellSpans& rows = spansOf(m_rows, tiles, level, tiles.rows(), tiles.rows(level), down);
    const std::uint8_t* cells = tiles.tile(head, level);
    const std::uint8_t* firstColumn = hidesFirst ? tiles.columnWithoutFirst(head, level) : nullptr;
    if (columns.isPooled() || rows.isPooled())
        drawPooled(cells, levelColumns, firstColumn, at, colours,
                   tiles.meaning() == TilePyramid::Meaning::Signed);
    else
        drawCrisp(cells, levelColumns, firstColumn, at, colours);
}

void TileRaster::drawCrisp(const std::uint8_t* cells, int levelColumns, const std::uint8_t* firstColumn,
                           QPoint at, const CellColours& colours)
{
    const std::vector<CellSpans::Span>& columns = m_columns.spans.spans();
    const std::vector<CellSpans::Span>& rows = m_rows.spans.spans();
    const QRgb* above = nullptr;
    for (std::size_t y = 0; y < rows.size(); ++y) {
        QRgb* const line = pixelsAt(at + QPoint(0, static_cast<int>(y)));
        const int row = rows[y].first;
        if (y > 0 && rows[y - 1].first == row) {
            std::memcpy(line, above, columns.size() * sizeof(QRgb));
            continue;
        }
        const std::uint8_t* values =
            cells + static_cast<std::size_t>(row) * static_cast<std::size_t>(levelColumns);
        for (std::size_t x = 0; x < columns.size();) {
            const int column = columns[x].first;
            const QRgb colour = colours[column == 0 && firstColumn ? firstColumn[row] : values[column]];
            for (; x < columns.size() && columns[x].first == column; ++x)
                line[x] = colour;
        }
        above = line;
    }
}

void TileRaster::drawPooled(const std::uint8_t* cells, int levelColumns, const std::uint8_t* firstColumn,
                            QPoint at, const CellColours& colours, bool isDifference)
{
    const std::vector<CellSpans::Span>& columns = m_columns.spans.spans();
    const std::vector<CellSpans::Span>& rows = m_rows.spans.spans();
    const int left = columns.front().first;
    const auto width = static_cast<std::size_t>(columns.back().last + 1 - left);
    m_line.resize(width);
    CellColours keyed;
    if (isDifference)
        for (int key = 0; key < 256; ++key)
            keyed[static_cast<std::size_t>(key)] = colours[differenceOfKey(static_cast<std::uint8_t>(key))];
    const CellColours& table = isDifference ? keyed : colours;
    std::uint8_t* const line = m_line.data();

    for (std::size_t y = 0; y < rows.size(); ++y) {
        std::fill_n(line, width, std::uint8_t{0});
        std::uint8_t replaced = 0;  // of the first column
        for (int row = rows[y].first; row <= rows[y].last; ++row) {
            const std::uint8_t* values =
                cells + static_cast<std::size_t>(row) * static_cast<std::size_t>(levelColumns) + left;
            if (isDifference)
                for (std::size_t column = 0; column < width; ++column)
                    line[column] = std::max(line[column], magnitudeKey(values[column]));
            else
                for (std::size_t column = 0; column < width; ++column)
                    line[column] = std::max(line[column], values[column]);
            if (firstColumn)
                replaced =
                    std::max(replaced, isDifference ? magnitudeKey(firstColumn[row]) : firstColumn[row]);
        }
        if (firstColumn && left == 0)
            line[0] = replaced;
        QRgb* const pixels = pixelsAt(at + QPoint(0, static_cast<int>(y)));
        // Right of the last lit cell the line is ground; that includes everything above the diagonal.
        std::size_t lit = width;
        while (lit > 0 && line[lit - 1] == 0)
            --lit;
        std::size_t x = 0;
        for (; x < columns.size(); ++x) {
            const auto first = static_cast<std::size_t>(columns[x].first - left);
            if (first >= lit)
                break;
            // A square tile's level has fewer than two cells per pixel, so a pixel overlaps at most three.
            const auto last = static_cast<std::size_t>(columns[x].last - left);
            std::uint8_t most = std::max({line[first], line[(first + last) / 2], line[last]});
            if (last > first + 2)
                most = *std::max_element(line + first, line + last + 1);
            pixels[x] = table[most];
        }
        std::fill(pixels + x, pixels + columns.size(), table[0]);
    }
}

CellColours normalised(const CellColours& colours, int peak, TilePyramid::Meaning meaning)
{
    if (peak <= 0)
        return colours;
    CellColours result = colours;
    for (int value = 0; value < 256; ++value) {
        const int scaled = meaning == TilePyramid::Meaning::Signed
                               ? 128 + std::clamp((value - 128) * 255 / peak, -127, 127)
                               : std::min(255, (value * 255 + peak / 2) / peak);
        result[static_cast<std::size_t>(value)] = colours[static_cast<std::size_t>(scaled)];
    }
    return result;
}

}  // namespace hs::render
