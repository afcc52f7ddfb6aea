#include "render/tile_image.h"

#include <algorithm>
#include <vector>

namespace hs::render {
namespace {

/// The cells that one pixel covers, [first, last).
struct Cells {
    int first = 0;
    int last = 0;
};

std::vector<Cells> cellsOfPixels(int side, int pixels)
{
    std::vector<Cells> cells(static_cast<std::size_t>(pixels));
    for (int pixel = 0; pixel < pixels; ++pixel) {
        const auto start = static_cast<std::int64_t>(pixel) * side;
        Cells& span = cells[static_cast<std::size_t>(pixel)];
        if (pixels >= side) {
            span.first = static_cast<int>((2 * start + side) / (2 * pixels));
            span.last = span.first + 1;
        } else {
            span.first = static_cast<int>(start / pixels);
            span.last = static_cast<int>((start + side + pixels - 1) / pixels);
        }
    }
    return cells;
}

std::uint8_t largest(const QImage& cells, Cells rows, Cells columns)
{
    std::uint8_t most = 0;
    for (int row = rows.first; row < rows.last; ++row) {
        const uchar* const line = cells.constScanLine(row);
        most = std::max(most, *std::max_element(line + columns.first, line + columns.last));
    }
    return most;
}

}  // namespace

QImage tileImage(const QImage& cells, QSize pixels)
{
    QImage image(pixels, QImage::Format_Indexed8);
    image.setColorTable(cells.colorTable());
    const std::vector<Cells> rows = cellsOfPixels(cells.height(), pixels.height());
    const std::vector<Cells> columns = cellsOfPixels(cells.width(), pixels.width());
    for (int y = 0; y < pixels.height(); ++y) {
        std::uint8_t* line = image.scanLine(y);
        for (int x = 0; x < pixels.width(); ++x)
            line[x] = largest(cells, rows[static_cast<std::size_t>(y)], columns[static_cast<std::size_t>(x)]);
    }
    return image;
}

bool isBlank(std::span<const std::uint8_t> tile)
{
    return std::ranges::all_of(tile, [](std::uint8_t weight) { return weight == 0; });
}

}  // namespace hs::render
