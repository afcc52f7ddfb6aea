#include "support/catch.h"
#include "ui/grid/grids_under_test.h"
#include "ui/grid/pointer.h"
#include "ui/made_up_run.h"

#include <QAccessible>
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

TEST_CASE("each pixel of a slim tile is that of its layer's MLP, in every layout and at any zoom")
{
    grid::Canvas canvas;
    canvas.resize(500, 330);
    grid::Content content = contentWithMlps();
    using Kind = render::TileFlow::Kind;
    content.flow.kind = GENERATE(Kind::LayersDown, Kind::LayersAcross, Kind::Wrapped);
    content.flow.count = GENERATE(1, 3, 4, 9);
    canvas.setContent(content);
    canvas.setZoom(GENERATE(control::GridZoom{}, control::GridZoom{70, {2, 1}}));
    const QImage before = picture(canvas);
    const auto* const minimap = canvas.findChild<QWidget*>(QStringLiteral("minimap"));
    const auto isMinimap = [&](int x, int y) {
        return !minimap->isHidden() && minimap->geometry().contains(x, y);
    };
    for (int layer = 0; layer < 4; ++layer) {
        const HeadId mlp = HeadId::mlpOf(layer);
        grid::Content ablated = content;
        ablated.ablated = {mlp};
        canvas.setContent(ablated);
        const QImage after = picture(canvas);
        int changed = 0;
        for (int y = 0; y < after.height(); ++y)
            for (int x = 0; x < after.width(); ++x)
                if (after.pixel(x, y) != before.pixel(x, y) && !isMinimap(x, y)) {
                    ++changed;
                    REQUIRE(canvas.headAt(QPointF(x + 0.5, y + 0.5)) == mlp);
                }
        CAPTURE(layer, content.flow.kind, content.flow.count);
        CHECK((changed > 0 || canvas.zoom().tileSide > 0));
    }
}

TEST_CASE("a flipped grid's slim tiles are of the MLPs of the heads they stand behind")
{
    grid::Canvas canvas;
    canvas.resize(500, 330);
    grid::Content content = contentWithMlps();
    content.places = content.heads;
    for (HeadId& head : content.heads)
        head.layer = 3 - head.layer;
    canvas.setContent(content);
    for (int layer = 0; layer < 4; ++layer) {
        const QRectF slim = canvas.tileRect(HeadId::mlpOf(layer));
        CHECK(slim.top() == canvas.tileRect({layer, 5}).top());
        CHECK(canvas.headAt(slim.center()) == HeadId::mlpOf(layer));
    }
}

TEST_CASE("screen readers find each slim tile behind the heads, as a check box that ablates")
{
    grid::Canvas canvas;
    canvas.resize(500, 330);
    grid::Content content = contentWithMlps();
    content.ablated = {HeadId::mlpOf(2)};
    canvas.setContent(content);
    QAccessibleInterface* const table = QAccessible::queryAccessibleInterface(&canvas);
    REQUIRE(table);
    REQUIRE(table->childCount() == 4 * 6 + 4);
    QSignalSpy wishes(&canvas, &grid::Canvas::ablationRequested);
    for (int layer = 0; layer < 4; ++layer) {
        QAccessibleInterface* const mlp = table->child(4 * 6 + layer);
        REQUIRE(mlp);
        CHECK(table->indexOfChild(mlp) == 4 * 6 + layer);
        CHECK(mlp->text(QAccessible::Name).startsWith(QStringLiteral("MLP of layer %1").arg(layer)));
        CHECK(static_cast<bool>(mlp->state().checked) == (layer == 2));
        const QPoint middle = mlp->rect().center();
        CHECK(table->childAt(middle.x(), middle.y()) == mlp);
        REQUIRE(mlp->actionInterface());
        mlp->actionInterface()->doAction(QAccessibleActionInterface::toggleAction());
        REQUIRE(wishes.size() == layer + 1);
        CHECK(wishes.back().front().value<HeadId>() == HeadId::mlpOf(layer));
    }
    CHECK_FALSE(table->child(4 * 6 + 4));
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
