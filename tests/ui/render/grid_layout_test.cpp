#include "render/grid_layout.h"

#include "support/catch.h"

#include <cmath>

using namespace hs;

TEST_CASE("a wrapped grid fills row after row")
{
    const render::GridLayout grid = render::GridLayout::wrapped(155, 16, {20, 2});
    CHECK(grid.rows() == 10);
    CHECK(grid.columns() == 16);
    CHECK(grid.tile(16) == QRectF(0, 22, 20, 20));
    CHECK(grid.tile(154) == QRectF(10 * 22, 9 * 22, 20, 20));
    CHECK(grid.size() == QSizeF(16 * 22 - 2, 10 * 22 - 2));
}

TEST_CASE("a matrix has a row for each layer and a column for each head that occurs")
{
    const std::vector<HeadId> heads = {{30, 0}, {0, 5}, {0, 0}, {2, 5}};
    const render::GridLayout grid = render::GridLayout::matrix(heads, {10, 1});
    CHECK(grid.rows() == 3);
    CHECK(grid.columns() == 2);
    CHECK(grid.tile(0) == QRectF(0, 22, 10, 10));
    CHECK(grid.tile(1) == QRectF(11, 0, 10, 10));
    CHECK(grid.tileAt({5, 15}) == render::GridLayout::kNoTile);  // layer 2 has no head 0
}

TEST_CASE("every point of a tile hits that tile and no point between tiles hits one")
{
    const render::TileMetrics metrics{GENERATE(1.0, 7.0, 12.5), GENERATE(0.0, 1.0, 3.25)};
    const render::GridLayout grid = render::GridLayout::wrapped(23, 6, metrics);
    for (double y = 0.125; y < grid.size().height() + 9; y += 0.5)
        for (double x = 0.125; x < grid.size().width() + 9; x += 0.5) {
            int expected = render::GridLayout::kNoTile;
            for (int tile = 0; tile < grid.count(); ++tile)
                if (grid.tile(tile).contains(QPointF(x, y)))
                    expected = tile;
            REQUIRE(grid.tileAt({x, y}) == expected);
        }
}

TEST_CASE("points outside the grid hit nothing")
{
    const render::GridLayout grid = render::GridLayout::wrapped(4, 2, {10, 2});
    CHECK(grid.tileAt({-0.5, 3}) == render::GridLayout::kNoTile);
    CHECK(grid.tileAt({3, 1e300}) == render::GridLayout::kNoTile);
    CHECK(grid.tileAt({std::nan(""), 3}) == render::GridLayout::kNoTile);
    CHECK(render::GridLayout::wrapped(0, 4, {10, 2}).tileAt({1, 1}) == render::GridLayout::kNoTile);
    CHECK(render::GridLayout::wrapped(0, 4, {10, 2}).size() == QSizeF(0, 0));
}
