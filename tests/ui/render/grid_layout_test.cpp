#include "render/grid_layout.h"

#include "support/catch.h"

using namespace hs;

namespace {

using Kind = render::TileFlow::Kind;

std::vector<HeadId> headsOf(int layers, int heads)
{
    std::vector<HeadId> all;
    for (int layer = 0; layer < layers; ++layer)
        for (int head = 0; head < heads; ++head)
            all.push_back({layer, head});
    return all;
}

QPoint placeOf(const render::GridLayout& grid, HeadId head)
{
    const auto found = std::find(grid.heads().begin(), grid.heads().end(), head);
    return grid.place(static_cast<int>(found - grid.heads().begin()));
}

}  // namespace

TEST_CASE("a wrapped grid fills row after row")
{
    const render::GridLayout grid(std::vector<HeadId>(155), {Kind::Wrapped, 16}, {20, 2, {}});
    CHECK(grid.rows() == 10);
    CHECK(grid.columns() == 16);
    CHECK(grid.tile(16) == QRectF(0, 22, 20, 20));
    CHECK(grid.tile(154) == QRectF(10 * 22, 9 * 22, 20, 20));
    CHECK(grid.size() == QSizeF(16 * 22 - 2, 10 * 22 - 2));
}

TEST_CASE("a matrix has a row for each layer and a column for each head that occurs")
{
    const render::GridLayout grid({{30, 0}, {0, 5}, {0, 0}, {2, 5}}, {}, {10, 1, {}});
    CHECK(grid.rows() == 3);
    CHECK(grid.columns() == 2);
    CHECK(grid.tile(0) == QRectF(0, 22, 10, 10));
    CHECK(grid.tile(1) == QRectF(11, 0, 10, 10));
    CHECK(grid.tileAtPlace({0, 1}) == render::GridLayout::kNoTile);  // layer 2 has no head 0
}

TEST_CASE("blocks of layers stand side by side, a gap apart")
{
    const render::GridLayout grid(headsOf(30, 9), {Kind::LayersDown, 4}, {10, 1, {5, 7}});
    CHECK(grid.rows() == 8);
    CHECK(grid.columns() == 36);
    CHECK(grid.shape().blocks() == QSize(4, 1));
    CHECK(placeOf(grid, {8, 0}) == QPoint(9, 0));
    CHECK(placeOf(grid, {29, 8}) == QPoint(35, 5));
    CHECK(grid.tile(8 * 9).left() == 9 * 11 + 5);
    CHECK(grid.size() == QSizeF(36 * 11 - 1 + 3 * 5, 8 * 11 - 1));
}

TEST_CASE("layers across are layers down, mirrored")
{
    const int blocks = GENERATE(1, 2, 3, 5, 7);
    const std::vector<HeadId> heads = headsOf(18, 4);
    const render::GridLayout down(heads, {Kind::LayersDown, blocks});
    const render::GridLayout across(heads, {Kind::LayersAcross, blocks});
    for (int index = 0; index < down.count(); ++index)
        REQUIRE(across.place(index) == down.place(index).transposed());
    CHECK(across.rowHeading(5, 0) == down.columnHeading(5, 0));
}

TEST_CASE("every head has a place of its own, whatever the flow")
{
    const auto kind = GENERATE(Kind::LayersDown, Kind::LayersAcross, Kind::Wrapped);
    const int count = GENERATE(0, 1, 2, 3, 4, 7, 100);
    const render::GridLayout grid(headsOf(7, 3), {kind, count});
    for (int index = 0; index < grid.count(); ++index)
        REQUIRE(grid.tileAtPlace(grid.place(index)) == index);
}

TEST_CASE("headings name what a row and a column of a block have in common")
{
    const render::GridLayout down(headsOf(30, 9), {Kind::LayersDown, 4});
    CHECK(down.rowHeading(2, 0) == QStringLiteral("L2"));
    CHECK(down.rowHeading(2, 3) == QStringLiteral("L26"));
    CHECK(down.rowHeading(7, 3).isEmpty());  // there are only thirty layers
    CHECK(down.columnHeading(10, 0) == QStringLiteral("H1"));
    const render::GridLayout list({{3, 4}, {0, 1}, {2, 2}}, {Kind::Wrapped, 2});
    CHECK(list.rowHeading(1, 0) == QStringLiteral("L2H2"));
    CHECK(list.columnHeading(0, 0).isEmpty());
}

TEST_CASE("a grid without heads takes no room")
{
    const auto kind = GENERATE(Kind::LayersDown, Kind::LayersAcross, Kind::Wrapped);
    const render::GridLayout grid({}, {kind, 4});
    CHECK(grid.size() == QSizeF(0, 0));
    CHECK(grid.tileAtPlace({0, 0}) == render::GridLayout::kNoTile);
}
