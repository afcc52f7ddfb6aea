#include "figures/files/cell_pixels.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <future>
#include <thread>

namespace hs::figures {
namespace {

constexpr int kLeastSide = 128;  // pixels
constexpr int kCellPackingEffort = 6;

enum Filter : char { kNone = 0, kUp = 2 };

/// Pixels that each cell gets along a side with this many cells.
int pixelsPerCell(int cells)
{
    return (kLeastSide + cells - 1) / cells;
}

QByteArray paletteOf(const QImage& cells)
{
    QByteArray palette;
    palette.reserve(3 * cells.colorCount());
    for (const QRgb colour : cells.colorTable()) {
        palette.append(static_cast<char>(qRed(colour)));
        palette.append(static_cast<char>(qGreen(colour)));
        palette.append(static_cast<char>(qBlue(colour)));
    }
    return palette;
}

}  // namespace

CellPixels pixelsOf(const QImage& cells)
{
    const int across = pixelsPerCell(cells.width());
    const int down = pixelsPerCell(cells.height());
    CellPixels pixels{cells.width() * across, cells.height() * down, paletteOf(cells), {}};
    // The other lines of a row of cells are the same as its first, and zeros take next to no space.
    const qsizetype stride = 1 + pixels.width;
    QByteArray lines(stride * pixels.height, '\0');
    char* line = lines.data();
    for (int row = 0; row < cells.height(); ++row) {
        const uchar* const source = cells.constScanLine(row);
        char* pixel = line;
        *pixel++ = kNone;
        for (int column = 0; column < cells.width(); ++column)
            pixel = std::fill_n(pixel, across, static_cast<char>(source[column]));
        line += stride;
        for (int copy = 1; copy < down; ++copy, line += stride)
            *line = kUp;
    }
    pixels.deflated = qCompress(lines, kCellPackingEffort).sliced(4);
    return pixels;
}

std::vector<CellPixels> pixelsOf(const std::vector<QImage>& pictures)
{
    std::vector<CellPixels> packed(pictures.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t index = next++; index < pictures.size(); index = next++)
            packed[index] = pixelsOf(pictures[index]);
    };
    const std::size_t workers = std::min<std::size_t>(pictures.size(), std::thread::hardware_concurrency());
    std::vector<std::future<void>> helpers;
    for (std::size_t helper = 1; helper < workers; ++helper)
        helpers.push_back(std::async(std::launch::async, work));
    work();
    for (std::future<void>& done : helpers)
        done.get();
    return packed;
}

QImage withUsedColours(const QImage& cells)
{
    std::array<bool, 256> isUsed{};
    for (int row = 0; row < cells.height(); ++row) {
        const uchar* const line = cells.constScanLine(row);
        for (int column = 0; column < cells.width(); ++column)
            isUsed[line[column]] = true;
    }
    const QList<QRgb> colours = cells.colorTable();
    std::array<uchar, 256> places{};
    QList<QRgb> used;
    for (std::size_t value = 0; value < isUsed.size(); ++value) {
        if (!isUsed[value])
            continue;
        places[value] = static_cast<uchar>(used.size());
        used << colours.value(static_cast<qsizetype>(value), qRgb(0, 0, 0));
    }
    QImage same(cells.size(), QImage::Format_Indexed8);
    same.setColorTable(used);
    for (int row = 0; row < cells.height(); ++row) {
        const uchar* const line = cells.constScanLine(row);
        std::transform(line, line + cells.width(), same.scanLine(row),
                       [&](uchar value) { return places[value]; });
    }
    return same;
}

}  // namespace hs::figures
