#include "support/catch.h"
#include "ui/grid/grids_under_test.h"
#include "ui/grid/pointer.h"

#include <QSignalSpy>
#include <QUndoStack>
#include <QtTest>

using namespace hs;
using namespace hs::test;

namespace {

/// How many pixels of the picture have that colour.
int count(const QImage& image, QRgb colour)
{
    int pixels = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            pixels += image.pixel(x, y) == colour;
    return pixels;
}

}  // namespace

TEST_CASE("each grid has the title and the figures of its side")
{
    GridsUnderTest fixture;
    const grid::Content& left = fixture.canvas(Side::Left).content();
    CHECK(left.title == QString::fromStdString(fixture.tested.left().model->title));
    CHECK(left.heads.size() == 24);
    CHECK(fixture.grids->grid(Side::Left)
              .caption()
              .startsWith(QStringLiteral("24 of 24 heads · active edges 100 %")));
    CHECK(fixture.grids->grid(Side::Right).caption() != fixture.grids->grid(Side::Left).caption());
}

TEST_CASE("a click hatches the tile at once and redraws later layers, a second click restores all")
{
    GridsUnderTest fixture;
    grid::Canvas& canvas = fixture.canvas(Side::Left);
    const QImage before = picture(canvas);
    fixture.tested.fake->hold(FakeBackend::Call::Run);
    click(canvas, fixture.centre(Side::Left, {1, 2}));
    CHECK(canvas.content().ablated == std::set<HeadId>{{1, 2}});
    CHECK(canvas.content().isStale);
    CHECK_FALSE(canvas.content().isEmpty());
    const QImage waiting = picture(canvas);
    CHECK(waiting != before);
    fixture.tested.fake->release(FakeBackend::Call::Run);
    waitUntilIdle(fixture.explorer());
    CHECK_FALSE(canvas.content().isStale);
    fixture.explorer().setHover({});
    const auto tileOf = [&](const QImage& image, HeadId head) {
        return image.copy(canvas.tileRect(head).toRect().adjusted(1, 1, -1, -1));
    };
    const QImage after = picture(canvas);
    CHECK(tileOf(after, {0, 4}) == tileOf(before, {0, 4}));
    CHECK(tileOf(after, {1, 2}) != tileOf(before, {1, 2}));
    int changed = 0;
    for (int head = 0; head < 6; ++head)
        changed += tileOf(after, {3, head}) != tileOf(before, {3, head});
    CHECK(changed > 0);
    CHECK(fixture.grids->grid(Side::Left).caption().endsWith(QStringLiteral("1 ablated")));
    click(canvas, fixture.centre(Side::Left, {1, 2}));
    waitUntilIdle(fixture.explorer());
    CHECK(tileOf(picture(canvas), {3, 1}) == tileOf(before, {3, 1}));
    CHECK(fixture.canvas(Side::Right).content().ablated.empty());
}

TEST_CASE("a double click opens the head and leaves the document as it was")
{
    GridsUnderTest fixture;
    std::optional<HeadId> opened;
    QObject::connect(fixture.grids.get(), &grid::HeadGrids::openRequested,
                     [&](HeadId head) { opened = head; });
    const control::Document before = fixture.explorer().document();
    doubleClick(fixture.canvas(Side::Right), fixture.centre(Side::Right, {2, 1}));
    CHECK(opened == HeadId{2, 1});
    CHECK(fixture.explorer().currentHead() == HeadId{2, 1});
    CHECK(fixture.explorer().activeSide() == Side::Right);
    CHECK(fixture.explorer().document() == before);
}

TEST_CASE("a hovered cell is marked in every tile of both grids and read out exactly")
{
    GridsUnderTest fixture;
    const QImage leftBefore = picture(fixture.canvas(Side::Left));
    const QImage rightBefore = picture(fixture.canvas(Side::Right));
    hover(fixture.canvas(Side::Left), cellCentre(fixture.canvas(Side::Left), {2, 3}, 5, 1));
    const control::Hover& hovered = fixture.explorer().hover();
    CHECK(hovered.side == Side::Left);
    CHECK(hovered.head == HeadId{2, 3});
    CHECK(hovered.query == 5);
    CHECK(hovered.key == 1);
    for (const Side side : kSides) {
        grid::Canvas& canvas = fixture.canvas(side);
        const QImage image = picture(canvas);
        const QImage& before = side == Side::Left ? leftBefore : rightBefore;
        for (const HeadId head : canvas.content().heads) {
            const QRect tile = canvas.tileRect(head).toRect();
            CHECK(image.copy(tile) != before.copy(tile));
        }
    }
    CHECK(QTest::qWaitFor([&] { return fixture.grids->readout().contains(QStringLiteral("score")); }));
    const engine::LayerMap weights = fixture.explorer().map({Side::Left, 2, engine::MapKind::Weights, false});
    REQUIRE(weights);
    const std::size_t tokens = fixture.tested.left().run->after.tokens.size();
    const float weight = weights[(3 * tokens + 5) * tokens + 1];
    const QString readout = fixture.grids->readout();
    CHECK(readout.startsWith(QStringLiteral("query 5 “")));
    CHECK(readout.contains(QStringLiteral("→ key 1 “")));
    CHECK(readout.contains(QStringLiteral("L2H3")));
    CHECK(readout.contains(QStringLiteral("weight %1").arg(QLocale().toString(weight, 'f', 3))));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&fixture.canvas(Side::Left), &leave);
    CHECK(fixture.grids->readout().isEmpty());
    CHECK(picture(fixture.canvas(Side::Left)) == leftBefore);
}

TEST_CASE("the weight stands with a sign that it is about so until the map is there")
{
    GridsUnderTest fixture;
    fixture.tested.fake->hold(FakeBackend::Call::Maps);
    hover(fixture.canvas(Side::Left), cellCentre(fixture.canvas(Side::Left), {2, 3}, 5, 1));
    CHECK(fixture.grids->readout().contains(QStringLiteral("weight ≈ ")));
    fixture.tested.fake->release(FakeBackend::Call::Maps);
    CHECK(QTest::qWaitFor([&] { return !fixture.grids->readout().contains(QStringLiteral("≈")); }));
}

TEST_CASE("the gate of a hovered cell is read out where there is a gate")
{
    GridsUnderTest fixture;
    hover(fixture.canvas(Side::Right), cellCentre(fixture.canvas(Side::Right), {1, 0}, 6, 2));
    CHECK(QTest::qWaitFor([&] { return fixture.grids->readout().contains(QStringLiteral("gate ")); }));
}

TEST_CASE("a hovered token of the strip lights its column or row in every tile")
{
    GridsUnderTest fixture;
    grid::Canvas& canvas = fixture.canvas(Side::Right);
    const QImage before = picture(canvas);
    const auto differs = [&](HeadId head, int query, int key) {
        const QPoint at = cellCentre(canvas, head, query, key).toPoint();
        return picture(canvas).pixel(at) != before.pixel(at);
    };
    fixture.explorer().setHover({Side::Left, std::nullopt, std::nullopt, 3});
    for (const HeadId head : {HeadId{0, 0}, HeadId{3, 5}, HeadId{2, 2}}) {
        CHECK(differs(head, 6, 3));
        CHECK_FALSE(differs(head, 6, 1));
    }
    fixture.explorer().setHover({Side::Left, std::nullopt, 6, std::nullopt});
    CHECK(differs({1, 1}, 6, 1));
    CHECK_FALSE(differs({1, 1}, 5, 1));
}

TEST_CASE("a pinned cell is marked in red in the heads that map its key to its query")
{
    GridsUnderTest fixture;
    fixture.edit([](control::Document& document) {
        document.key = 2;
        document.query = 5;
        document.edgeThreshold = 0.15;
    });
    waitUntil(fixture.explorer(), [&] {
        return fixture.explorer().cellWeights(Side::Left) && fixture.explorer().cellWeights(Side::Right);
    });
    waitUntilIdle(fixture.explorer());
    int marked = 0;
    for (const Side side : kSides) {
        grid::Canvas& canvas = fixture.canvas(side);
        const auto weights = fixture.explorer().cellWeights(side);
        const QImage image = picture(canvas);
        for (const HeadId head : canvas.content().heads) {
            const float weight =
                (*weights)[static_cast<std::size_t>(fixture.tested.left().run->after.heads.indexOf(head))];
            const QRect tile = canvas.tileRect(head).toRect();
            const bool isRed = count(image.copy(tile), grid::Inks::of(canvas.palette()).mark) > 10;
            CHECK(isRed == (weight >= 0.15f));
            marked += isRed;
        }
    }
    CHECK(marked > 0);
    CHECK(marked < 48);
}

TEST_CASE("P pins the cell under the pointer")
{
    GridsUnderTest fixture;
    QTest::keyClick(&fixture.canvas(Side::Left), Qt::Key_P);
    CHECK_FALSE(fixture.explorer().document().key);  // the pointer is on nothing
    fixture.explorer().setHover({Side::Left, HeadId{1, 1}, 4, 2});
    QTest::keyClick(&fixture.canvas(Side::Left), Qt::Key_P);
    CHECK(fixture.explorer().document().key == 2);
    CHECK(fixture.explorer().document().query == 4);
}

TEST_CASE("Escape releases pinned tokens and the selection")
{
    GridsUnderTest fixture;
    fixture.edit([](control::Document& document) { document.key = 2; });
    fixture.explorer().select({{1, 1}});
    QTest::keyClick(&fixture.canvas(Side::Left), Qt::Key_Escape);
    CHECK_FALSE(fixture.explorer().document().key);
    CHECK(fixture.explorer().selection().empty());
}

TEST_CASE("Ctrl-click and the rubber band select in both grids")
{
    GridsUnderTest fixture;
    click(fixture.canvas(Side::Left), fixture.centre(Side::Left, {0, 1}), Qt::ControlModifier);
    click(fixture.canvas(Side::Right), fixture.centre(Side::Right, {2, 4}), Qt::ControlModifier);
    CHECK(fixture.explorer().selection() == std::set<HeadId>{{0, 1}, {2, 4}});
    CHECK(fixture.canvas(Side::Left).marks().selected.size() == 2);
    click(fixture.canvas(Side::Left), fixture.centre(Side::Left, {0, 1}), Qt::ControlModifier);
    CHECK(fixture.explorer().selection() == std::set<HeadId>{{2, 4}});
    drag(fixture.canvas(Side::Left), fixture.centre(Side::Left, {0, 0}), fixture.centre(Side::Left, {1, 0}));
    CHECK(fixture.explorer().selection() == std::set<HeadId>{{0, 0}, {1, 0}});
    drag(fixture.canvas(Side::Left), fixture.centre(Side::Left, {3, 3}), fixture.centre(Side::Left, {3, 4}),
         Qt::LeftButton, Qt::ControlModifier);
    CHECK(fixture.explorer().selection().size() == 4);
    CHECK(fixture.explorer().document().side(Side::Left).ablations.empty());
}

TEST_CASE("keys alone move, ablate and open")
{
    GridsUnderTest fixture;
    grid::Canvas& canvas = fixture.canvas(Side::Right);
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_Right);
    QTest::keyClick(&canvas, Qt::Key_Down);
    CHECK(fixture.explorer().currentHead() == HeadId{1, 0});
    CHECK(fixture.explorer().activeSide() == Side::Right);
    CHECK(canvas.marks().current == HeadId{1, 0});
    CHECK_FALSE(fixture.canvas(Side::Left).marks().current);
    QTest::keyClick(&canvas, Qt::Key_Space);
    CHECK(fixture.explorer().document().side(Side::Right).ablations.contains({1, 0}));
    std::optional<HeadId> opened;
    QObject::connect(fixture.grids.get(), &grid::HeadGrids::openRequested,
                     [&](HeadId head) { opened = head; });
    QTest::keyClick(&canvas, Qt::Key_Return);
    CHECK(opened == HeadId{1, 0});
}

TEST_CASE("linked grids zoom together, unlinked ones alone")
{
    GridsUnderTest fixture;
    QSignalSpy changed(fixture.grids.get(), &grid::HeadGrids::zoomChanged);
    wheel(fixture.canvas(Side::Left), {100, 100}, 3);
    CHECK(changed.count() == 1);
    CHECK(fixture.grids->zoom()[0].tileSide > 0);
    CHECK(fixture.grids->zoom()[0] == fixture.grids->zoom()[1]);
    QSignalSpy linked(fixture.grids.get(), &grid::HeadGrids::linkedChanged);
    fixture.grids->setLinked(false);
    CHECK(linked.count() == 1);
    wheel(fixture.canvas(Side::Right), {100, 100}, 2);
    CHECK(fixture.grids->zoom()[0] != fixture.grids->zoom()[1]);
    const auto zoom = fixture.grids->zoom();
    fixture.grids->setZoom({control::GridZoom{}, control::GridZoom{}});
    fixture.grids->setZoom(zoom);
    CHECK(fixture.grids->zoom() == zoom);
    fixture.grids->setLinked(true);
    CHECK(fixture.grids->zoom()[0] == fixture.grids->zoom()[1]);
    fixture.grids->fit();
    CHECK(QTest::qWaitFor([&] { return fixture.grids->zoom() == std::array<control::GridZoom, 2>{}; }));
    fixture.grids->zoomIn();
    CHECK(QTest::qWaitFor([&] { return fixture.grids->zoom()[1].tileSide > 0; }));
}

TEST_CASE("linked grids that fit have tiles of one size")
{
    GridsUnderTest fixture;
    fixture.edit([](control::Document& document) {
        document.side(Side::Right).grid.form = control::GridChoice::Form::List;
        document.side(Side::Right).grid.columns = 12;
    });
    CHECK(fixture.canvas(Side::Left).tileRect({0, 0}).size() ==
          fixture.canvas(Side::Right).tileRect({0, 0}).size());
    fixture.grids->setLinked(false);
    for (const Side side : kSides)
        CHECK(fixture.canvas(side).tileRect({0, 0}).width() == fixture.canvas(side).fittingSide());
}

TEST_CASE("grids stand side by side, stacked or alone")
{
    GridsUnderTest fixture;
    const auto place = [&](Side side) { return fixture.grids->grid(side).geometry(); };
    fixture.edit(
        [](control::Document& document) { document.arrangement = control::Arrangement::SideBySide; });
    QCoreApplication::processEvents();
    CHECK(place(Side::Left).right() < place(Side::Right).left());
    fixture.edit([](control::Document& document) { document.arrangement = control::Arrangement::Stacked; });
    QCoreApplication::processEvents();
    CHECK(place(Side::Left).bottom() < place(Side::Right).top());
    fixture.edit([](control::Document& document) { document.arrangement = control::Arrangement::RightOnly; });
    QCoreApplication::processEvents();
    CHECK(fixture.grids->grid(Side::Left).isHidden());
    CHECK(place(Side::Right).width() > 1000);
}

TEST_CASE("holding F shows the other side's tiles in the same places")
{
    GridsUnderTest fixture;
    grid::Canvas& left = fixture.canvas(Side::Left);
    const auto own = left.content();
    QTest::keyPress(&left, Qt::Key_F);
    CHECK(left.content().tiles == fixture.tested.right().run->tiles);
    CHECK(left.content().heads == own.heads);
    CHECK(left.content().title.contains(QString::fromStdString(fixture.tested.right().model->title)));
    QTest::keyRelease(&left, Qt::Key_F);
    CHECK(left.content() == own);
}

TEST_CASE("grids can be closed while a key is held, before or after their Explorer")
{
    auto tested = std::make_unique<ExplorerUnderTest>();
    auto grids = std::make_unique<grid::HeadGrids>(*tested->explorer);
    grids->resize(800, 500);
    grids->show();
    tested->start();
    grid::Canvas& canvas = grids->grid(Side::Left).canvas();
    canvas.setFocus();
    hover(canvas, canvas.tileRect({1, 1}).center());
    QTest::keyPress(&canvas, Qt::Key_F);
    CHECK_FALSE(canvas.content().isEmpty());
    const bool isExplorerFirst = GENERATE(true, false);
    if (isExplorerFirst)
        tested.reset();
    grids.reset();
    tested.reset();
}

TEST_CASE("heads that do not match the filter are dimmed")
{
    GridsUnderTest fixture;
    const QImage before = tilePicture(fixture.canvas(Side::Left), {1, 1});
    fixture.edit([](control::Document& document) { document.filter = QStringLiteral("L2H*"); });
    CHECK(fixture.canvas(Side::Left).content().filtered.size() == 18);
    CHECK(tilePicture(fixture.canvas(Side::Left), {1, 1}) != before);
}

TEST_CASE("grids without a model, a prompt or heads say what to do next")
{
    ExplorerUnderTest tested;
    grid::HeadGrids grids(*tested.explorer);
    const auto text = [&] { return grids.grid(Side::Left).canvas().content().emptyText; };
    CHECK(text().contains(QStringLiteral("Open a model")));
    tested.start();
    tested.explorer->edit(QStringLiteral("Hide"), [](control::Document& document) {
        for (int layer = 0; layer < 4; ++layer)
            for (int head = 0; head < 6; ++head)
                document.side(Side::Left).grid.hidden.insert({layer, head});
    });
    CHECK(grids.grid(Side::Left).canvas().content().isEmpty());
    CHECK(text().contains(QStringLiteral("No head matches")));
}

TEST_CASE("a context menu is about the head under the pointer, or the selection it belongs to")
{
    GridsUnderTest fixture;
    QSignalSpy wanted(fixture.grids.get(), &grid::HeadGrids::contextMenuWanted);
    const auto askAt = [&](HeadId head) {
        const QPoint place = fixture.centre(Side::Left, head).toPoint();
        QContextMenuEvent event(QContextMenuEvent::Mouse, place,
                                fixture.canvas(Side::Left).mapToGlobal(place));
        QApplication::sendEvent(&fixture.canvas(Side::Left), &event);
    };
    askAt({1, 3});
    CHECK(wanted.count() == 1);
    CHECK(fixture.explorer().currentHead() == HeadId{1, 3});
    CHECK(fixture.explorer().selection() == std::set<HeadId>{{1, 3}});
    fixture.explorer().select({{0, 0}, {2, 2}});
    askAt({2, 2});
    CHECK(fixture.explorer().selection().size() == 2);
}

TEST_CASE("a revealed head comes into sight")
{
    GridsUnderTest fixture;
    fixture.grids->setZoom({control::GridZoom{240, {0.5, 0.5}}, control::GridZoom{240, {0.5, 0.5}}});
    fixture.grids->reveal({3, 5});
    for (const Side side : kSides)
        CHECK(QRectF(fixture.canvas(side).rect()).contains(fixture.canvas(side).tileRect({3, 5})));
}

TEST_CASE("tiles appear layer by layer, over the old run and in an empty grid")
{
    GridsUnderTest fixture;
    fixture.tested.fake->tellParts(2);
    fixture.tested.fake->hold(FakeBackend::Call::Run);
    const bool isFirst = GENERATE(false, true);
    if (isFirst)
        fixture.explorer().openModel(Side::Left, QStringLiteral("fake:4x6/3"));
    else
        fixture.tested.setPrompt(QStringLiteral("One two"));
    waitUntil(fixture.explorer(), [&] { return fixture.tested.left().part != nullptr; });
    const grid::Content& content = fixture.canvas(Side::Left).content();
    CHECK(content.fresh == fixture.tested.left().part->tiles);
    CHECK(content.isStale == !isFirst);
    CHECK(content.heads.size() == 24);
    CHECK(content.isFresh({1, 5}));
    CHECK_FALSE(content.isFresh({2, 0}));
    CHECK((content.tilesOf({2, 0}) == nullptr) == isFirst);
    // Cells are read from runs that are done.
    fixture.explorer().setHover({});
    CHECK_FALSE(fixture.canvas(Side::Left).cellAt(fixture.centre(Side::Left, {1, 1})));
    CHECK(fixture.canvas(Side::Left).cellAt(fixture.centre(Side::Left, {3, 1})).has_value() == !isFirst);
    fixture.tested.fake->release(FakeBackend::Call::Run);
    waitUntilIdle(fixture.explorer());
    CHECK_FALSE(fixture.canvas(Side::Left).content().fresh);
    CHECK(fixture.canvas(Side::Left).content().tiles == fixture.tested.left().run->tiles);
}
