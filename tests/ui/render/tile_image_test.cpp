#include "render/tile_image.h"

#include "support/catch.h"

#include <algorithm>
#include <vector>

using namespace hs;

namespace {

const QList<QRgb> kTable = render::ColourMap::named(QStringLiteral("blues")).table(render::Scale::Linear);

QImage cellsOf(const std::vector<std::uint8_t>& tile, int side)
{
    QImage cells(side, side, QImage::Format_Indexed8);
    cells.setColorTable(kTable);
    for (int row = 0; row < side; ++row)
        std::copy_n(tile.begin() + row * side, side, cells.scanLine(row));
    return cells;
}

}  // namespace

TEST_CASE("each pixel of an enlarged tile has the colour of the cell it lies in")
{
    const std::vector<std::uint8_t> tile = {10, 20, 30, 40, 50, 60, 70, 80, 90};
    const int side = 3;
    const int pixels = GENERATE(3, 9, 10, 64);
    const QImage image = render::tileImage(cellsOf(tile, side), QSize(pixels, pixels));
    for (int y = 0; y < pixels; ++y)
        for (int x = 0; x < pixels; ++x) {
            const int row = (2 * y + 1) * side / (2 * pixels);
            const int column = (2 * x + 1) * side / (2 * pixels);
            REQUIRE(image.pixel(x, y) == kTable[tile[static_cast<std::size_t>(row * side + column)]]);
        }
}

TEST_CASE("a single strong cell stays in sight in a picture smaller than the tile")
{
    const int side = 64;
    const int pixels = GENERATE(7, 20, 63);
    for (int cell = 0; cell < side; ++cell) {
        std::vector<std::uint8_t> tile(static_cast<std::size_t>(side * side), 0);
        tile[static_cast<std::size_t>(cell * side + side - 1 - cell)] = 255;
        const QImage image = render::tileImage(cellsOf(tile, side), QSize(pixels, pixels));
        bool isSeen = false;
        for (int y = 0; y < pixels; ++y)
            for (int x = 0; x < pixels; ++x)
                isSeen = isSeen || image.pixel(x, y) == kTable[255];
        REQUIRE(isSeen);
    }
}

TEST_CASE("a tile is blank when no weight is above 0")
{
    std::vector<std::uint8_t> tile(9, 0);
    CHECK(render::isBlank(tile));
    tile[8] = 1;
    CHECK_FALSE(render::isBlank(tile));
}
