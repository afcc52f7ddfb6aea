#include "support/catch.h"
#include "ui/grid/grids_under_test.h"
#include "ui/grid/pointer.h"

#include <QtTest>

#include <cstring>

using namespace hs;
using namespace hs::test;

TEST_CASE("the difference of the sides is right minus left, in both grids")
{
    GridsUnderTest fixture;
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::BetweenSides; });
    CHECK_FALSE(fixture.canvas(control::Side::Left).content().isEmpty());
    CHECK(QTest::qWaitFor([&] {
        return fixture.canvas(control::Side::Left).content().tiles->meaning() ==
                   render::TilePyramid::Meaning::Signed &&
               !fixture.canvas(control::Side::Right).content().isStale;
    }));
    const HeadId head{1, 1};
    const engine::RunResult& left = fixture.tested.left().run->after;
    const engine::RunResult& right = fixture.tested.right().run->after;
    const auto tiles = fixture.canvas(control::Side::Left).content().tiles;
    CHECK(tiles == fixture.canvas(control::Side::Right).content().tiles);
    const int cells = left.tileSide * left.tileSide;
    for (int cell = 0; cell < cells; ++cell) {
        const int change = right.tileOf(head)[cell] - left.tileOf(head)[cell];
        CHECK((tiles->tile(head, 0)[cell] > 128) == (change > 0));
    }
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::Weights; });
    CHECK(fixture.canvas(control::Side::Left).content().tiles == fixture.tested.left().run->tiles);
}

TEST_CASE("the difference after ablation is each grid's own")
{
    GridsUnderTest fixture;
    fixture.explorer().toggleAblation(control::Side::Left, {{0, 1}});
    waitUntilIdle(fixture.explorer());
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::AfterAblation; });
    CHECK(QTest::qWaitFor([&] {
        return fixture.canvas(control::Side::Left).content().tiles->meaning() ==
                   render::TilePyramid::Meaning::Signed &&
               fixture.canvas(control::Side::Right).content().tiles->meaning() ==
                   render::TilePyramid::Meaning::Signed;
    }));
    int changed = 0;
    for (const HeadId head : fixture.canvas(control::Side::Left).content().heads) {
        changed += fixture.canvas(control::Side::Left).content().tiles->peak(head, false) > 0;
        CHECK(fixture.canvas(control::Side::Right).content().tiles->peak(head, false) == 0);
    }
    CHECK(changed > 0);
}

TEST_CASE("models of different shape have no difference, and the grid says so")
{
    GridsUnderTest fixture(QStringLiteral("fake:4x6"), QStringLiteral("fake:2x3"));
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::BetweenSides; });
    CHECK(QTest::qWaitFor([&] { return fixture.canvas(control::Side::Left).content().isEmpty(); }));
    CHECK(
        fixture.canvas(control::Side::Left).content().emptyText.contains(QStringLiteral("different heads")));
}

TEST_CASE("tiles show what is chosen, scaled to it, and weights again")
{
    GridsUnderTest fixture;
    const control::TileValue value = GENERATE(control::TileValue::ValueWeighted, control::TileValue::Scores);
    const engine::MapKind kind =
        value == control::TileValue::Scores ? engine::MapKind::Scores : engine::MapKind::ValueWeighted;
    fixture.edit([&](control::Document& document) { document.tiles = value; });
    grid::Canvas& canvas = fixture.canvas(control::Side::Left);
    const auto weights = fixture.tested.left().run->tiles;
    REQUIRE(QTest::qWaitFor([&] { return canvas.content().tiles != weights && !canvas.content().isStale; }));
    const auto& tiles = canvas.content().tiles;
    CHECK((tiles->meaning() == render::TilePyramid::Meaning::Signed) == control::isSigned(value));
    engine::LayerMap map;
    REQUIRE(QTest::qWaitFor([&] {
        map = fixture.explorer().map({control::Side::Left, 2, kind, false});
        return map != nullptr;
    }));
    const int tokens = tiles->tokens();
    REQUIRE(tiles->side() == tokens);
    for (int query = 0; query < tokens; ++query)
        for (int key = 0; key <= query; ++key) {
            const double byte = tiles->tile({2, 3}, 0)[query * tokens + key];
            const double shown = control::isSigned(value) ? (byte - 128) / 127 : byte / 255;
            REQUIRE(shown * tiles->full({2, 3}) ==
                    Approx(map[static_cast<std::size_t>((3 * tokens + query) * tokens + key)])
                        .margin(tiles->full({2, 3}) / 100));
        }
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::Weights; });
    CHECK(canvas.content().tiles == weights);
}

TEST_CASE("tiles of another quantity follow an ablation")
{
    GridsUnderTest fixture;
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::ValueWeighted; });
    grid::Canvas& canvas = fixture.canvas(control::Side::Left);
    const auto isShown = [&] {
        const auto tiles = fixture.explorer().tiles(control::Side::Left, engine::MapKind::ValueWeighted);
        return tiles && canvas.content().tiles == tiles && !canvas.content().isStale;
    };
    REQUIRE(QTest::qWaitFor(isShown));
    const auto before = canvas.content().tiles;
    fixture.explorer().toggleAblation(control::Side::Left, {{0, 1}});
    REQUIRE(QTest::qWaitFor([&] { return isShown() && canvas.content().tiles != before; }));
    CHECK(std::memcmp(canvas.content().tiles->tile({0, 2}, 0), before->tile({0, 2}, 0), 16) == 0);
}
