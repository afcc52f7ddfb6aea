#include "grid/head_grid.h"

#include "support/catch.h"
#include "ui/grid/pointer.h"
#include "ui/made_up_run.h"

#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QSignalSpy>
#include <QtTest>

using namespace hs;
using namespace hs::test;

namespace {

/// A grid of made-up heads that records its canvas's signals.
struct InputFixture {
    InputFixture()
    {
        const engine::RunResult run = madeUpRun({6, 8, 8}, 16);
        grid::Content content;
        content.tiles = render::TilePyramid::of(run);
        content.heads = allHeads(run);
        content.caption = QStringLiteral("48 of 48 heads");
        grid.resize(640, 560);
        grid.setContent(content);
        grid.show();
        QObject::connect(&canvas, &grid::Canvas::currentMoved, [this](HeadId head) {
            grid::Marks marks = canvas.marks();
            marks.current = head;
            canvas.setMarks(marks);
        });
    }

    QPointF centre(HeadId head) const { return canvas.tileRect(head).center(); }

    grid::HeadGrid grid;
    grid::Canvas& canvas = grid.canvas();
};

/// Whether an animation ends at that tile side.
bool comesTo(grid::Canvas& canvas, double tileSide)
{
    return QTest::qWaitFor([&] { return canvas.zoom().tileSide == Approx(tileSide); });
}

}  // namespace

TEST_CASE("a click tells which head was clicked, with Ctrl it selects")
{
    InputFixture fixture;
    std::vector<HeadId> clicked;
    std::vector<HeadId> toggled;
    QObject::connect(&fixture.canvas, &grid::Canvas::headClicked,
                     [&](HeadId head) { clicked.push_back(head); });
    QObject::connect(&fixture.canvas, &grid::Canvas::selectionToggled,
                     [&](HeadId head) { toggled.push_back(head); });
    click(fixture.canvas, fixture.centre({2, 5}));
    CHECK(clicked == std::vector<HeadId>{{2, 5}});
    CHECK(fixture.canvas.marks().current == HeadId{2, 5});
    click(fixture.canvas, fixture.centre({3, 1}), Qt::ControlModifier);
    CHECK(toggled == std::vector<HeadId>{{3, 1}});
    const QPointF gap = fixture.canvas.tileRect({0, 0}).bottomRight() + QPointF(2, 2);
    click(fixture.canvas, gap);
    CHECK(clicked.size() == 1);
}

TEST_CASE("Shift+click cuts a cell where cells are large, and selects the head where they are small")
{
    InputFixture fixture;
    std::vector<grid::TileCell> cut;
    std::vector<HeadId> toggled;
    QObject::connect(&fixture.canvas, &grid::Canvas::cellCut,
                     [&](const grid::TileCell& cell) { cut.push_back(cell); });
    QObject::connect(&fixture.canvas, &grid::Canvas::selectionToggled,
                     [&](HeadId head) { toggled.push_back(head); });
    REQUIRE(fixture.canvas.cellSide() < 5);
    click(fixture.canvas, fixture.centre({2, 5}), Qt::ShiftModifier);
    CHECK(cut.empty());
    CHECK(toggled == std::vector<HeadId>{{2, 5}});
    fixture.canvas.zoomToHeads({{2, 5}});
    REQUIRE(QTest::qWaitFor([&] { return fixture.canvas.cellSide() >= 6; }));
    const QPointF at = fixture.canvas.tileRect({2, 5}).center() + QPointF(-3, 20);
    const auto under = fixture.canvas.cellAt(at);
    REQUIRE(under);
    click(fixture.canvas, at, Qt::ShiftModifier);
    REQUIRE(cut.size() == 1);
    CHECK(cut.front() == *under);
    CHECK(toggled.size() == 1);
}

TEST_CASE("a double click opens a head and is no second click")
{
    InputFixture fixture;
    int clicks = 0;
    std::optional<HeadId> opened;
    QObject::connect(&fixture.canvas, &grid::Canvas::headClicked, [&] { ++clicks; });
    QObject::connect(&fixture.canvas, &grid::Canvas::headDoubleClicked, [&](HeadId head) { opened = head; });
    doubleClick(fixture.canvas, fixture.centre({1, 1}));
    CHECK(clicks == 1);
    CHECK(opened == HeadId{1, 1});
}

TEST_CASE("a drag draws a rubber band and selects the tiles it touches")
{
    InputFixture fixture;
    std::set<HeadId> banded;
    bool isAdded = false;
    QObject::connect(&fixture.canvas, &grid::Canvas::bandSelected,
                     [&](const std::set<HeadId>& heads, bool isAdding) {
                         banded = heads;
                         isAdded = isAdding;
                     });
    const QImage before = picture(fixture.canvas);
    mouse(fixture.canvas, QEvent::MouseButtonPress, fixture.centre({1, 1}), Qt::LeftButton);
    mouse(fixture.canvas, QEvent::MouseMove, fixture.centre({2, 3}), Qt::LeftButton);
    CHECK(picture(fixture.canvas) != before);
    mouse(fixture.canvas, QEvent::MouseButtonRelease, fixture.centre({2, 3}), Qt::LeftButton);
    CHECK(banded == std::set<HeadId>{{1, 1}, {1, 2}, {1, 3}, {2, 1}, {2, 2}, {2, 3}});
    CHECK_FALSE(isAdded);
    CHECK(picture(fixture.canvas) == before);
    drag(fixture.canvas, fixture.centre({0, 0}), fixture.centre({0, 1}), Qt::LeftButton, Qt::ShiftModifier);
    CHECK(isAdded);
    CHECK(banded == std::set<HeadId>{{0, 0}, {0, 1}});
}

TEST_CASE("the wheel zooms at the pointer")
{
    InputFixture fixture;
    const double fit = fixture.canvas.tileRect({3, 4}).width();
    fixture.canvas.setZoom({150, {4.5, 3.5}});  // larger than the view, which is then full wherever one zooms
    const QPointF at = cellCentre(fixture.canvas, {3, 4}, 9, 6);
    const auto cell = fixture.canvas.cellAt(at);
    REQUIRE(cell);
    const double before = fixture.canvas.tileRect({3, 4}).width();
    for (int step = 0; step < 8; ++step) {
        wheel(fixture.canvas, at, 1);
        REQUIRE(fixture.canvas.cellAt(at) == cell);
    }
    CHECK(fixture.canvas.tileRect({3, 4}).width() > 3.5 * before);
    for (int step = 0; step < 30; ++step)
        wheel(fixture.canvas, at, -1);
    CHECK(fixture.canvas.zoom() == control::GridZoom());
    CHECK(fixture.canvas.tileRect({3, 4}).width() == fit);
}

TEST_CASE("a pinch zooms at its centre")
{
    InputFixture fixture;
    const QPointF at = cellCentre(fixture.canvas, {2, 2}, 8, 8);
    const double before = fixture.canvas.tileRect({2, 2}).width();
    const auto cell = fixture.canvas.cellAt(at);
    QNativeGestureEvent pinch(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2, at, at,
                              fixture.canvas.mapToGlobal(at), 0.8, QPointF());
    QApplication::sendEvent(&fixture.canvas, &pinch);
    CHECK(fixture.canvas.tileRect({2, 2}).width() == Approx(1.8 * before).margin(1.5));
    CHECK(fixture.canvas.cellAt(at) == cell);
}

TEST_CASE("the middle button, Alt and two fingers pan")
{
    InputFixture fixture;
    fixture.canvas.setZoom({150, {4, 3}});
    const QPointF start = fixture.canvas.tileRect({3, 4}).topLeft();
    drag(fixture.canvas, {300, 300}, {340, 280}, Qt::MiddleButton);
    CHECK(fixture.canvas.tileRect({3, 4}).topLeft() == start + QPointF(40, -20));
    drag(fixture.canvas, {300, 300}, {260, 320}, Qt::LeftButton, Qt::AltModifier);
    CHECK(fixture.canvas.tileRect({3, 4}).topLeft() == start);
    QWheelEvent fingers({300, 300}, fixture.canvas.mapToGlobal(QPointF(300, 300)), {-12, 7}, {-96, 56},
                        Qt::NoButton, Qt::NoModifier, Qt::ScrollUpdate, false);
    QApplication::sendEvent(&fixture.canvas, &fingers);
    CHECK(fixture.canvas.tileRect({3, 4}).topLeft() == start + QPointF(-12, 7));
}

TEST_CASE("where one tile fills the view a drag pans")
{
    InputFixture fixture;
    fixture.canvas.setZoom({2000, {4.45, 3.45}});
    const QPointF start = fixture.canvas.tileRect({3, 4}).topLeft();
    drag(fixture.canvas, {300, 300}, {330, 310});
    CHECK(fixture.canvas.tileRect({3, 4}).topLeft() == start + QPointF(30, 10));
}

TEST_CASE("arrows move between tiles, Space ablates, Enter opens, Escape releases")
{
    InputFixture fixture;
    std::optional<HeadId> ablated;
    std::optional<HeadId> opened;
    int released = 0;
    QObject::connect(&fixture.canvas, &grid::Canvas::ablationRequested, [&](HeadId head) { ablated = head; });
    QObject::connect(&fixture.canvas, &grid::Canvas::openRequested, [&](HeadId head) { opened = head; });
    QObject::connect(&fixture.canvas, &grid::Canvas::releaseRequested, [&] { ++released; });
    QTest::keyClick(&fixture.canvas, Qt::Key_Space);
    CHECK_FALSE(ablated);
    QTest::keyClick(&fixture.canvas, Qt::Key_Right);
    CHECK(fixture.canvas.marks().current == HeadId{0, 0});
    const QImage first = tilePicture(fixture.canvas, {1, 1});
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Down, Qt::Key_Up})
        QTest::keyClick(&fixture.canvas, key);
    CHECK(fixture.canvas.marks().current == HeadId{1, 1});
    CHECK(tilePicture(fixture.canvas, {1, 1}) != first);
    QTest::keyClick(&fixture.canvas, Qt::Key_Space);
    CHECK(ablated == HeadId{1, 1});
    QTest::keyClick(&fixture.canvas, Qt::Key_Return);
    CHECK(opened == HeadId{1, 1});
    for (int step = 0; step < 20; ++step)
        QTest::keyClick(&fixture.canvas, Qt::Key_Left);
    CHECK(fixture.canvas.marks().current == HeadId{1, 0});
    QTest::keyClick(&fixture.canvas, Qt::Key_Escape);
    CHECK(released == 1);
}

TEST_CASE("a head reached by keys comes into sight")
{
    InputFixture fixture;
    fixture.canvas.setZoom({150, {1, 1}});
    for (int step = 0; step < 8; ++step)
        QTest::keyClick(&fixture.canvas, Qt::Key_Right);
    CHECK(fixture.canvas.marks().current == HeadId{0, 7});
    CHECK(QRectF(fixture.canvas.rect()).contains(fixture.canvas.tileRect({0, 7})));
}

TEST_CASE("plus, minus, 1 and 0 zoom in a short motion")
{
    InputFixture fixture;
    fixture.grid.resize(420, 420);
    const double fitting = fixture.canvas.geometryNow().zoom().tileSide;
    QTest::keyClick(&fixture.canvas, Qt::Key_Plus);
    CHECK(comesTo(fixture.canvas, 1.5 * fitting));
    QTest::keyClick(&fixture.canvas, Qt::Key_1);
    CHECK(comesTo(fixture.canvas, 64.0));
    QTest::keyClick(&fixture.canvas, Qt::Key_Plus);
    QTest::keyClick(&fixture.canvas, Qt::Key_Plus);
    CHECK(comesTo(fixture.canvas, 144.0));
    QTest::keyClick(&fixture.canvas, Qt::Key_Minus);
    CHECK(comesTo(fixture.canvas, 96.0));
    QTest::keyClick(&fixture.canvas, Qt::Key_0);
    CHECK(QTest::qWaitFor([&] { return fixture.canvas.zoom() == control::GridZoom(); }));
}

TEST_CASE("holding F asks for the other side until the key or the focus goes")
{
    InputFixture fixture;
    std::vector<bool> flips;
    QObject::connect(&fixture.canvas, &grid::Canvas::flipChanged,
                     [&](bool isFlipped) { flips.push_back(isFlipped); });
    QTest::keyPress(&fixture.canvas, Qt::Key_F);
    CHECK(flips == std::vector<bool>{true});
    QTest::keyRelease(&fixture.canvas, Qt::Key_F);
    CHECK(flips == std::vector<bool>{true, false});
    QTest::keyPress(&fixture.canvas, Qt::Key_F);
    QFocusEvent away(QEvent::FocusOut);
    QApplication::sendEvent(&fixture.canvas, &away);
    CHECK(flips == std::vector<bool>{true, false, true, false});
}

TEST_CASE("hovering tells the cell, leaving tells that there is none")
{
    InputFixture fixture;
    std::optional<grid::TileCell> cell;
    QObject::connect(&fixture.canvas, &grid::Canvas::cellHovered,
                     [&](const std::optional<grid::TileCell>& hovered) { cell = hovered; });
    hover(fixture.canvas, cellCentre(fixture.canvas, {4, 6}, 11, 3));
    CHECK(cell == grid::TileCell{{4, 6}, 11, 3});
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&fixture.canvas, &leave);
    CHECK_FALSE(cell);
}

TEST_CASE("the context menu is asked for at the pointer, or at the keyboard's tile")
{
    InputFixture fixture;
    std::optional<HeadId> head;
    QPoint at;
    QObject::connect(&fixture.canvas, &grid::Canvas::contextMenuWanted,
                     [&](QPoint global, const std::optional<HeadId>& wanted) {
                         at = global;
                         head = wanted;
                     });
    const QPoint place = fixture.centre({2, 2}).toPoint();
    QContextMenuEvent byMouse(QContextMenuEvent::Mouse, place, fixture.canvas.mapToGlobal(place));
    QApplication::sendEvent(&fixture.canvas, &byMouse);
    CHECK(head == HeadId{2, 2});
    CHECK(at == fixture.canvas.mapToGlobal(place));
    QTest::keyClick(&fixture.canvas, Qt::Key_Right);
    QContextMenuEvent byKey(QContextMenuEvent::Keyboard, {0, 0}, {0, 0});
    QApplication::sendEvent(&fixture.canvas, &byKey);
    CHECK(head == HeadId{0, 0});
}

TEST_CASE("the minimap shows while part of the grid is out of sight, and moves the view")
{
    InputFixture fixture;
    auto* minimap = fixture.canvas.findChild<QWidget*>(QStringLiteral("minimap"));
    REQUIRE(minimap);
    CHECK(minimap->isHidden());
    fixture.canvas.setZoom({200, {1, 1}});
    CHECK_FALSE(minimap->isHidden());
    CHECK(fixture.canvas.rect().contains(minimap->geometry()));
    click(*minimap, QPointF(minimap->width() - 12, minimap->height() - 12));
    const QPointF centre = fixture.canvas.zoom().centre;
    CHECK(centre.x() > 6);
    CHECK(centre.y() > 4.5);
    fixture.canvas.setZoom({});
    CHECK(minimap->isHidden());
}

TEST_CASE("the line of figures says when cells are pooled")
{
    InputFixture fixture;
    CHECK(fixture.grid.caption() == QStringLiteral("48 of 48 heads"));
    fixture.grid.resize(120, 150);
    CHECK(fixture.grid.caption().contains(QStringLiteral("pooled by maximum: 1 px = 2 × 2 cells")));
    fixture.canvas.setZoom({64, {2, 2}});
    CHECK(fixture.grid.caption() == QStringLiteral("48 of 48 heads"));
}
