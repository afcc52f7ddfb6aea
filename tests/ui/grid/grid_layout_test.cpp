#include "support/catch.h"
#include "ui/grid/grids_under_test.h"
#include "ui/grid/pointer.h"

#include <QtTest>

#include <algorithm>

using namespace hs;
using namespace hs::test;

namespace {

void layOutAutomatically(GridsUnderTest& fixture)
{
    fixture.edit([](control::Document& document) {
        document.arrangement = control::Arrangement::Automatic;
        for (const Side side : kSides)
            document.side(side).grid = {};
    });
    QCoreApplication::processEvents();
}

}  // namespace

TEST_CASE("grids are laid out anew when the window changes, with the largest tiles, and both alike")
{
    GridsUnderTest fixture(QStringLiteral("fake:30x9"), QStringLiteral("fake:30x9+gate"));
    layOutAutomatically(fixture);
    fixture.grids->resize(1600, 500);
    QCoreApplication::processEvents();
    const grid::Plan wide = fixture.grids->plan();
    fixture.grids->resize(500, 1200);
    QCoreApplication::processEvents();
    const grid::Plan narrow = fixture.grids->plan();
    CHECK(wide != narrow);
    for (const Side side : kSides) {
        CHECK(fixture.canvas(side).content().flow == narrow.flows[indexOf(side)]);
        CHECK(fixture.canvas(side).tileRect({0, 0}).width() >= narrow.side - 1);
    }
    CHECK(fixture.explorer().shownGrids().flows == narrow.flows);
    CHECK(fixture.explorer().shownGrids().isStacked == narrow.isStacked);
}

TEST_CASE("a new layout keeps zoom and selection, and the head in the middle of the view")
{
    GridsUnderTest fixture(QStringLiteral("fake:30x9"), QStringLiteral("fake:30x9+gate"));
    layOutAutomatically(fixture);
    fixture.grids->resize(1600, 500);
    QCoreApplication::processEvents();
    fixture.explorer().select({{20, 3}});
    grid::Canvas& canvas = fixture.canvas(Side::Left);
    canvas.setZoom({90, QPointF(canvas.places().place(20 * 9 + 3)) + QPointF(0.5, 0.5)});
    const auto middle = [&] {
        const grid::Geometry geometry = canvas.geometryNow();
        return canvas.headAt(geometry.pixelToView(QRectF(geometry.area()).center()));
    };
    const auto before = middle();
    REQUIRE(before);
    const render::TileFlow flow = canvas.content().flow;
    fixture.grids->resize(520, 1200);
    QCoreApplication::processEvents();
    REQUIRE(canvas.content().flow != flow);
    CHECK(canvas.zoom().tileSide == 90);
    CHECK(fixture.explorer().selection() == std::set<HeadId>{{20, 3}});
    const auto after = middle();
    REQUIRE(after);
    CHECK(std::abs(after->layer - before->layer) <= 1);
}

TEST_CASE("L, B and S zoom to the layer, the block and the selection")
{
    GridsUnderTest fixture(QStringLiteral("fake:30x9"), QStringLiteral("fake:30x9+gate"));
    layOutAutomatically(fixture);
    grid::Canvas& canvas = fixture.canvas(Side::Left);
    fixture.explorer().setCurrent(Side::Left, HeadId{12, 4});
    fixture.explorer().select({{3, 1}, {3, 2}});
    const auto isShown = [&](std::set<HeadId> heads) {
        const grid::Geometry geometry = canvas.geometryNow();
        const QRectF area(geometry.pixelToView(geometry.area().topLeft()), QSizeF(geometry.area().size()));
        return canvas.zoom().tileSide > 0 &&
               std::ranges::all_of(heads, [&](HeadId head) { return area.contains(canvas.tileRect(head)); });
    };
    QTest::keyClick(&canvas, Qt::Key_L);
    CHECK(QTest::qWaitFor([&] { return isShown(canvas.layerOf({12, 4})); }));
    const double ofLayer = canvas.zoom().tileSide;
    QTest::keyClick(&canvas, Qt::Key_S);
    CHECK(QTest::qWaitFor([&] { return isShown({{3, 1}, {3, 2}}) && canvas.zoom().tileSide > ofLayer; }));
    if (canvas.places().shape().blocks() != QSize(1, 1)) {
        QTest::keyClick(&canvas, Qt::Key_B);
        CHECK(QTest::qWaitFor([&] { return isShown(canvas.blockOf({12, 4})); }));
    }
}
