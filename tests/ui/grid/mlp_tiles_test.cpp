#include "support/catch.h"
#include "ui/grid/grids_under_test.h"
#include "ui/grid/pointer.h"
#include "ui/made_up_run.h"

#include <QSignalSpy>
#include <QtTest>

using namespace hs;
using namespace hs::test;

namespace {

grid::Content contentWithMlps()
{
    const engine::RunResult run = madeUpRun({4, 6, 6}, 12);
    grid::Content content;
    content.tiles = render::TilePyramid::of(run);
    content.heads = allHeads(run);
    content.flow.hasMlps = true;
    return content;
}

}  // namespace

TEST_CASE("a slim tile says what its MLP does, and has another look when that is ablated or patched")
{
    grid::Canvas canvas;
    canvas.resize(620, 430);
    grid::Content plain = contentWithMlps();
    const HeadId mlp = HeadId::mlpOf(2);
    const auto look = [&](auto change) {
        grid::Content content = plain;
        change(content);
        canvas.setContent(content);
        return tilePicture(canvas, mlp);
    };
    const std::vector<QImage> looks = {
        look([](grid::Content&) {}),
        look([](grid::Content& content) { content.mlps[2] = {0.6, QStringLiteral("pushes x")}; }),
        look([](grid::Content& content) { content.mlps[2] = {-0.6, QStringLiteral("pushes x")}; }),
        look([&](grid::Content& content) { content.ablated = {mlp}; }),
        look([&](grid::Content& content) { content.ablated = content.patched = {mlp}; }),
    };
    for (std::size_t one = 0; one < looks.size(); ++one)
        for (std::size_t other = 0; other < one; ++other)
            CHECK(looks[one] != looks[other]);
    plain.mlps[2] = {0.6, QStringLiteral("pushes x")};
    plain.ablated = {mlp};
    canvas.setContent(plain);
    CHECK(canvas.noteOn(mlp) == QStringLiteral("ablated, pushes x"));
    CHECK(canvas.headAt(canvas.tileRect(mlp).center()) == mlp);
    CHECK_FALSE(canvas.cellAt(canvas.tileRect(mlp).center()));
    plain.flow.hasMlps = false;
    canvas.setContent(plain);
    CHECK(canvas.tileRect(mlp).isEmpty());
}

TEST_CASE("a click on an MLP's slim tile ablates it, a second one restores it, and no head becomes current")
{
    GridsUnderTest fixture;
    grid::Canvas& canvas = fixture.canvas(Side::Left);
    const HeadId mlp = HeadId::mlpOf(1);
    const QPointF centre = canvas.tileRect(mlp).center();
    const QSignalSpy currentChanges(&fixture.explorer(), &control::Explorer::currentChanged);
    click(canvas, centre);
    waitUntilIdle(fixture.explorer());
    CHECK(fixture.explorer().document().side(Side::Left).ablations ==
          std::map<HeadId, HeadChange>{{mlp, HeadChange::Kind::Zero}});
    CHECK(canvas.content().ablated == std::set<HeadId>{mlp});
    CHECK(currentChanges.isEmpty());
    CHECK(fixture.grids->grid(Side::Left).caption().endsWith(QStringLiteral("1 ablated")));
    click(canvas, centre);
    waitUntilIdle(fixture.explorer());
    CHECK(fixture.explorer().document().side(Side::Left).ablations.empty());
}

TEST_CASE("MLPs have no tiles where they are not wanted, and give their room to the heads")
{
    GridsUnderTest fixture;
    CHECK(fixture.grids->plan().flows[0].hasMlps);
    const double side = fixture.grids->plan().side;
    fixture.explorer().edit(QStringLiteral("without MLPs"),
                            [](control::Document& document) { document.look.hasMlps = false; });
    CHECK_FALSE(fixture.grids->plan().flows[0].hasMlps);
    CHECK(fixture.grids->plan().side >= side);
    CHECK(fixture.canvas(Side::Left).tileRect(HeadId::mlpOf(1)).isEmpty());
}

TEST_CASE("a slim tile has what the shown run's attribution says of its MLP, of each side")
{
    GridsUnderTest fixture;
    waitUntilIdle(fixture.explorer());
    const auto isThere = [&](Side side) { return fixture.canvas(side).content().mlps.size() == 4; };
    REQUIRE(QTest::qWaitFor([&] { return isThere(Side::Left) && isThere(Side::Right); }));
    for (const Side side : kSides) {
        const std::map<int, grid::MlpTile>& tiles = fixture.canvas(side).content().mlps;
        CHECK(tiles.at(0).share == Approx(0.5));
        CHECK(tiles.at(1).share == Approx(-0.5));
        CHECK(tiles.at(0).words.startsWith(QLatin1Char('+')));
        CHECK(tiles.at(1).words.contains(QStringLiteral("pushes")));
    }
    fixture.edit([](control::Document& document) { document.look.hasMlps = false; });
    CHECK(fixture.canvas(Side::Left).content().mlps.empty());
}
