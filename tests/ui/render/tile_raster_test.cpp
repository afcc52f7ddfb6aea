#include "render/tile_raster.h"

#include "render/tile_image.h"
#include "support/catch.h"
#include "ui/made_up_run.h"

#include <algorithm>
#include <random>

using namespace hs;

namespace {

engine::RunResult randomRun(int rows, int columns, unsigned seed)
{
    std::minstd_rand random(seed);
    engine::RunResult run;
    run.heads = {1, 2, 2};
    run.tileRows = rows;
    run.tileColumns = columns;
    run.tokens.assign(static_cast<std::size_t>(rows), 0);
    run.keyTokens.assign(static_cast<std::size_t>(columns), 0);
    const auto cells = static_cast<std::size_t>(2 * rows * columns);
    const std::shared_ptr<std::uint8_t[]> tiles(new std::uint8_t[cells]);
    // Few strong cells: with many, every maximum would be the same.
    std::generate_n(tiles.get(), cells,
                    [&] { return static_cast<std::uint8_t>(random() % 8 == 0 ? 1 + random() % 255 : 0); });
    run.tiles = {tiles};
    return run;
}

engine::RunResult randomRun(int side, unsigned seed)
{
    return randomRun(side, side, seed);
}

render::CellColours greyLevels()
{
    render::CellColours colours;
    for (int level = 0; level < 256; ++level)
        colours[static_cast<std::size_t>(level)] = qRgb(level, level, level);
    return colours;
}

QImage drawn(const render::TilePyramid& tiles, int pixels, bool hidesFirst = false)
{
    QImage image(pixels, pixels, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    render::TileRaster(image).draw(tiles, {0, 1}, {0, 0}, pixels, greyLevels(), hidesFirst);
    return image;
}

/// The largest cell of the run within a square of pixels, [first, last] each.
int largest(const engine::RunResult& run, int pixels, double left, double right, double top, double bottom)
{
    int most = 0;
    for (int row = 0; row < run.tileRows; ++row)
        for (int column = 0; column < run.tileColumns; ++column) {
            const auto overlaps = [&](int cell, int cells, double low, double high) {
                return (cell + 1) * static_cast<double>(pixels) / cells > low + 1e-9 &&
                       cell * static_cast<double>(pixels) / cells < high - 1e-9;
            };
            if (overlaps(column, run.tileColumns, left, right) && overlaps(row, run.tileRows, top, bottom))
                most = std::max<int>(most, run.tileOf({0, 1})[row * run.tileColumns + column]);
        }
    return most;
}

}  // namespace

TEST_CASE("the raster draws what the plain picture of a tile shows")
{
    const int side = GENERATE(1, 2, 5, 16, 31, 64);
    const engine::RunResult run = randomRun(side, static_cast<unsigned>(side));
    const auto tiles = render::TilePyramid::of(run);
    QList<QRgb> greys;
    for (const QRgb colour : greyLevels())
        greys << colour;
    for (const int pixels : {1, 3, 7, 16, 20, 31, 32, 33, 64, 65, 130}) {
        CAPTURE(side, pixels);
        // A halved level is a tile of its own if the side halves evenly; otherwise its last cell is partial.
        const int level = pixels < side ? tiles->levelFor(pixels) : 0;
        if ((tiles->rows(level) << level) != side)
            continue;
        const int cells = tiles->rows(level);
        QImage tile(cells, cells, QImage::Format_Indexed8);
        tile.setColorTable(greys);
        for (int row = 0; row < cells; ++row)
            std::copy_n(tiles->tile({0, 1}, level) + row * cells, cells, tile.scanLine(row));
        const QImage plain =
            render::tileImage(tile, QSize(pixels, pixels)).convertToFormat(QImage::Format_RGB32);
        REQUIRE(drawn(*tiles, pixels) == plain);
    }
}

TEST_CASE("a pixel shows at least the largest cell it overlaps and nothing farther than a pixel away")
{
    const int side = GENERATE(9, 31, 37, 100);
    const int pixels = GENERATE(4, 7, 8, 19, 30);
    if (pixels >= side)
        return;
    const engine::RunResult run = randomRun(side, static_cast<unsigned>(side * pixels));
    const QImage image = drawn(*render::TilePyramid::of(run), pixels);
    for (int y = 0; y < pixels; ++y)
        for (int x = 0; x < pixels; ++x) {
            CAPTURE(side, pixels, x, y);
            const int shown = qRed(image.pixel(x, y));
            REQUIRE(shown >= largest(run, pixels, x, x + 1, y, y + 1));
            REQUIRE(shown <= largest(run, pixels, x - 1, x + 2, y - 1, y + 2));
        }
}

TEST_CASE("a tile of other rows than columns fills its square")
{
    const auto [rows, columns] =
        GENERATE(table<int, int>({{7, 19}, {19, 7}, {3, 200}, {100, 190}, {64, 5}, {1, 9}}));
    const engine::RunResult run = randomRun(rows, columns, static_cast<unsigned>(rows * columns));
    const auto tiles = render::TilePyramid::of(run);
    for (const int pixels : {4, 7, 30, 90, 210}) {
        const QImage image = drawn(*tiles, pixels);
        for (int y = 0; y < pixels; ++y)
            for (int x = 0; x < pixels; ++x) {
                CAPTURE(rows, columns, pixels, x, y);
                const int shown = qRed(image.pixel(x, y));
                // Where cells are larger than pixels, a pixel shows the one under its centre.
                const double across = columns <= pixels ? 0.5 : 0;
                const double down = rows <= pixels ? 0.5 : 0;
                REQUIRE(shown >= largest(run, pixels, x + across, x + 1 - across, y + down, y + 1 - down));
                REQUIRE(shown <= largest(run, pixels, x - 1, x + 2, y - 1, y + 2));
            }
    }
}

TEST_CASE("a hidden first token leaves no trace in any pixel")
{
    const int side = GENERATE(8, 13, 64);
    engine::RunResult run = randomRun(side, 2);
    const auto cells = static_cast<std::size_t>(2 * side * side);
    const std::shared_ptr<std::uint8_t[]> hidden(new std::uint8_t[cells]);
    std::copy_n(run.tiles[0].get(), cells, hidden.get());
    for (std::size_t row = 0; row < static_cast<std::size_t>(2 * side); ++row)
        hidden[row * static_cast<std::size_t>(side)] = 0;
    engine::RunResult without = run;
    without.tiles = {hidden};
    for (const int pixels : {3, 5, 8, 12, 40, 70})
        REQUIRE(drawn(*render::TilePyramid::of(run), pixels, true) ==
                drawn(*render::TilePyramid::of(without), pixels));
}

TEST_CASE("a tile cut off by the picture's edge shows the same pixels as a whole one")
{
    const engine::RunResult run = randomRun(24, 4);
    const auto tiles = render::TilePyramid::of(run);
    for (const int pixels : {10, 24, 61, 500}) {
        const QImage whole = drawn(*tiles, pixels);
        QImage part(40, 30, QImage::Format_RGB32);
        for (const QPoint corner :
             {QPoint(-5, -3), QPoint(33, 22), QPoint(0, 0), QPoint(-200, -311), QPoint(90, 0)}) {
            part.fill(Qt::magenta);
            render::TileRaster(part).draw(*tiles, {0, 1}, corner, pixels, greyLevels(), false);
            for (int y = 0; y < part.height(); ++y)
                for (int x = 0; x < part.width(); ++x) {
                    const QPoint within = QPoint(x, y) - corner;
                    const QRgb expected =
                        whole.rect().contains(within) ? whole.pixel(within) : QColor(Qt::magenta).rgb();
                    REQUIRE(part.pixel(x, y) == expected);
                }
        }
    }
}

TEST_CASE("of differences the larger magnitude is seen, whatever its sign")
{
    engine::RunResult after = randomRun(8, 1);
    engine::RunResult before = after;
    const std::shared_ptr<std::uint8_t[]> high(new std::uint8_t[128]{});
    const std::shared_ptr<std::uint8_t[]> low(new std::uint8_t[128]{});
    high[64 + 9] = 100;  // in the second head: + 100
    low[64 + 18] = 180;  // - 180
    after.tiles = {high};
    before.tiles = {low};
    const QImage image = drawn(*render::TilePyramid::difference(after, before), 2);
    CHECK(qRed(image.pixel(0, 0)) == 128 - 90);
    CHECK(qRed(image.pixel(1, 1)) == 128);
    const QImage one = drawn(*render::TilePyramid::difference(after, engine::RunResult(randomRun(8, 1))), 8);
    CHECK(one.width() == 8);
}

TEST_CASE("normalised colours give the peak full colour")
{
    const render::CellColours colours = greyLevels();
    const render::CellColours weights =
        render::normalised(colours, 51, render::TilePyramid::Meaning::Positive);
    CHECK(qRed(weights[51]) == 255);
    CHECK(qRed(weights[0]) == 0);
    CHECK(qRed(weights[10]) == 50);
    const render::CellColours changes = render::normalised(colours, 65, render::TilePyramid::Meaning::Signed);
    CHECK(qRed(changes[128]) == 128);
    CHECK(qRed(changes[128 + 32]) >= 250);
    CHECK(qRed(changes[128 - 32]) <= 5);
}
