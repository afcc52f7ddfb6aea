#include "support/catch.h"
#include "ui/grid/grids_under_test.h"
#include "ui/grid/pointer.h"

#include <QtTest>

#include <cstdlib>
#include <cstring>

using namespace hs;
using namespace hs::test;

TEST_CASE("the difference of the sides is right minus left, in both grids")
{
    GridsUnderTest fixture;
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::BetweenSides; });
    CHECK_FALSE(fixture.canvas(Side::Left).content().isEmpty());
    CHECK(QTest::qWaitFor([&] {
        return fixture.canvas(Side::Left).content().tiles->meaning() ==
                   render::TilePyramid::Meaning::Signed &&
               !fixture.canvas(Side::Right).content().isStale;
    }));
    const HeadId head{1, 1};
    const engine::RunResult& left = fixture.tested.left().run->after;
    const engine::RunResult& right = fixture.tested.right().run->after;
    const auto tiles = fixture.canvas(Side::Left).content().tiles;
    CHECK(tiles == fixture.canvas(Side::Right).content().tiles);
    const int cells = left.tileRows * left.tileRows;
    for (int cell = 0; cell < cells; ++cell) {
        const int change = right.tileOf(head)[cell] - left.tileOf(head)[cell];
        CHECK((tiles->tile(head, 0)[cell] > 128) == (change > 0));
    }
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::Weights; });
    CHECK(fixture.canvas(Side::Left).content().tiles == fixture.tested.left().run->tiles);
}

TEST_CASE("the difference after ablation is each grid's own")
{
    GridsUnderTest fixture;
    fixture.explorer().toggleAblation(Side::Left, {{0, 1}});
    waitUntilIdle(fixture.explorer());
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::AfterAblation; });
    CHECK(QTest::qWaitFor([&] {
        return fixture.canvas(Side::Left).content().tiles->meaning() ==
                   render::TilePyramid::Meaning::Signed &&
               fixture.canvas(Side::Right).content().tiles->meaning() == render::TilePyramid::Meaning::Signed;
    }));
    int changed = 0;
    for (const HeadId head : fixture.canvas(Side::Left).content().heads) {
        changed += fixture.canvas(Side::Left).content().tiles->peak(head, false) > 0;
        CHECK(fixture.canvas(Side::Right).content().tiles->peak(head, false) == 0);
    }
    CHECK(changed > 0);
}

TEST_CASE("models of different shape have no difference, and the grid says so")
{
    GridsUnderTest fixture(QStringLiteral("fake:4x6"), QStringLiteral("fake:2x3"));
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::BetweenSides; });
    CHECK(QTest::qWaitFor([&] { return fixture.canvas(Side::Left).content().isEmpty(); }));
    CHECK(fixture.canvas(Side::Left).content().emptyText.contains(QStringLiteral("different heads")));
}

TEST_CASE("tiles show what is chosen, scaled to it, and weights again")
{
    GridsUnderTest fixture;
    const control::TileValue value = GENERATE(control::TileValue::ValueWeighted, control::TileValue::Scores);
    const engine::MapKind kind =
        value == control::TileValue::Scores ? engine::MapKind::Scores : engine::MapKind::ValueWeighted;
    fixture.edit([&](control::Document& document) { document.tiles = value; });
    grid::Canvas& canvas = fixture.canvas(Side::Left);
    const auto weights = fixture.tested.left().run->tiles;
    REQUIRE(QTest::qWaitFor([&] { return canvas.content().tiles != weights && !canvas.content().isStale; }));
    const auto& tiles = canvas.content().tiles;
    CHECK((tiles->meaning() == render::TilePyramid::Meaning::Signed) == control::isSigned(value));
    engine::LayerMap map;
    REQUIRE(QTest::qWaitFor([&] {
        map = fixture.explorer().map({Side::Left, 2, kind, false});
        return map != nullptr;
    }));
    const int tokens = tiles->pattern().keys;
    REQUIRE(tiles->rows() == tokens);
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
    grid::Canvas& canvas = fixture.canvas(Side::Left);
    const auto isShown = [&] {
        const auto tiles = fixture.explorer().tiles(Side::Left, engine::MapKind::ValueWeighted);
        return tiles && canvas.content().tiles == tiles && !canvas.content().isStale;
    };
    REQUIRE(QTest::qWaitFor(isShown));
    const auto before = canvas.content().tiles;
    fixture.explorer().toggleAblation(Side::Left, {{0, 1}});
    REQUIRE(QTest::qWaitFor([&] { return isShown() && canvas.content().tiles != before; }));
    CHECK(std::memcmp(canvas.content().tiles->tile({0, 2}, 0), before->tile({0, 2}, 0), 16) == 0);
}

TEST_CASE("tiles show the change since the kept run, and say which")
{
    GridsUnderTest fixture;
    fixture.explorer().keepRuns();
    fixture.explorer().toggleAblation(Side::Left, {{0, 1}});
    waitUntilIdle(fixture.explorer());
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::SinceKept; });
    grid::Canvas& canvas = fixture.canvas(Side::Left);
    const auto isSigned = [](const grid::Canvas& shown) {
        return shown.content().tiles->meaning() == render::TilePyramid::Meaning::Signed;
    };
    REQUIRE(QTest::qWaitFor([&] { return isSigned(canvas) && !canvas.content().isStale; }));
    CHECK(canvas.content().title.contains(QStringLiteral("since the kept run")));
    CHECK(canvas.content().caption.contains(QStringLiteral("kept: “When Mary and")));
    // Made from the same two runs, so the same cells.
    const auto since = canvas.content().tiles;
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::AfterAblation; });
    REQUIRE(QTest::qWaitFor([&] { return canvas.content().tiles != since && !canvas.content().isStale; }));
    int changed = 0;
    for (const HeadId head : canvas.content().heads) {
        const auto cells = static_cast<std::size_t>(since->rows() * since->columns());
        changed += since->peak(head, false) > 0;
        REQUIRE(std::memcmp(since->tile(head, 0), canvas.content().tiles->tile(head, 0), cells) == 0);
    }
    CHECK(changed > 0);

    fixture.explorer().toggleAblation(Side::Left, {{0, 1}});
    waitUntilIdle(fixture.explorer());
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::SinceKept; });
    CHECK(QTest::qWaitFor(
        [&] { return isSigned(canvas) && canvas.content().tiles->peak({3, 0}, false) == 0; }));
}

TEST_CASE("a kept run of another length leaves the reason in the grid")
{
    GridsUnderTest fixture;
    fixture.explorer().keepRuns();
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::SinceKept; });
    fixture.tested.setPrompt(QStringLiteral("When Mary and John"));
    CHECK(QTest::qWaitFor([&] { return fixture.canvas(Side::Left).content().isEmpty(); }));
    CHECK(fixture.canvas(Side::Left).content().emptyText.contains(QStringLiteral("9 tokens")));
}

TEST_CASE("tiles that cannot be read, or are no longer waited for, leave weights, undimmed")
{
    GridsUnderTest fixture;
    using Call = FakeBackend::Call;
    grid::Canvas& canvas = fixture.canvas(Side::Left);
    const auto weights = canvas.content().tiles;
    const auto choose = [&] {
        fixture.edit([](control::Document& document) { document.tiles = control::TileValue::Scores; });
    };
    SECTION("failed")
    {
        fixture.tested.fake->failNext(Call::Maps,
                                      {ErrorCode::TooLarge, "The maps do not fit; shorten the prompt.", {}});
        choose();
        REQUIRE(QTest::qWaitFor([&] { return !fixture.tested.messages.empty(); }));
        CHECK(fixture.tested.messages.back().text.contains(QStringLiteral("do not fit")));
    }
    SECTION("cancelled")
    {
        fixture.tested.fake->hold(Call::Maps);
        choose();
        fixture.tested.fake->waitUntilHeld(Call::Maps);
        CHECK(canvas.content().isStale);
        fixture.explorer().cancel();
        fixture.tested.fake->release(Call::Maps);
    }
    waitUntilIdle(fixture.explorer());
    CHECK(fixture.explorer().document().tiles == control::TileValue::Weights);
    CHECK(canvas.content().tiles == weights);
    CHECK_FALSE(canvas.content().isStale);
    // Choosing it again tries again.
    choose();
    CHECK(QTest::qWaitFor([&] { return canvas.content().tiles != weights && !canvas.content().isStale; }));
}

TEST_CASE("the read-out names the number that tiles show")
{
    GridsUnderTest fixture;
    const Side side = Side::Left;
    const HeadId head{2, 3};
    fixture.explorer().keepRuns();
    fixture.explorer().toggleAblation(side, {{0, 1}});
    waitUntilIdle(fixture.explorer());
    const control::SideRun& run = *fixture.tested.left().run;
    const auto tokens = static_cast<int>(run.after.tokens.size());
    const auto changeAt = [&](int cell) {
        return run.after.tileOf(head)[cell] - run.before.tileOf(head)[cell];
    };
    int cell = 0;
    for (int other = 0; other < tokens * tokens; ++other)
        if (std::abs(changeAt(other)) > std::abs(changeAt(cell)))
            cell = other;
    REQUIRE(changeAt(cell) != 0);
    fixture.explorer().setHover({side, head, cell / tokens, cell % tokens});
    engine::LayerMap weights;
    engine::LayerMap weighted;
    REQUIRE(QTest::qWaitFor([&] {
        weights = fixture.explorer().map({side, 2, engine::MapKind::Weights, false});
        weighted = fixture.explorer().map({side, 2, engine::MapKind::ValueWeighted, false});
        return weights && weighted;
    }));
    const auto number = [](double value, int decimals) {
        return QLocale().toString(value, 'f', decimals).replace(QLatin1Char('-'), QStringLiteral("−"));
    };
    const auto at = static_cast<std::size_t>(3 * tokens * tokens + cell);
    CHECK_FALSE(fixture.grids->readout().contains(QStringLiteral("weight ×")));
    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::ValueWeighted; });
    CHECK(fixture.grids->readout().contains(
        QStringLiteral("weight %1 · weight × value %2")
            .arg(number(static_cast<double>(weights[at]), 3), number(static_cast<double>(weighted[at]), 3))));

    fixture.edit([](control::Document& document) { document.tiles = control::TileValue::SinceKept; });
    CHECK(fixture.grids->readout().contains(
        QStringLiteral("difference ≈ %1%2")
            .arg(changeAt(cell) > 0 ? QStringLiteral("+") : QString(), number(changeAt(cell) / 255.0, 2))));
}
