#include "panels/inspector/inspector_panel.h"

#include "panels/inspector/head_plot.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/panel_widgets.h"
#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>
#include <QWheelEvent>

#include <cmath>

using namespace hs;
using namespace hs::test;

namespace {

constexpr HeadId kHead{1, 2};

struct InspectorScene {
    explicit InspectorScene(const PanelStage::Setup& setup = {}, QSize size = {900, 700})
        : stage(setup), explorer(stage.explorer()), panel(explorer),
          left(child<panels::HeadPlot>(panel, "inspectorPlotLeft")),
          right(child<panels::HeadPlot>(panel, "inspectorPlotRight"))
    {
        explorer.setCurrent(Side::Left, kHead);
        present(panel, size);
        waitForMaps();
    }

    engine::LayerMap map(Side side, engine::MapKind kind = engine::MapKind::Weights, bool isBefore = false)
    {
        QSignalSpy ready(&explorer, &control::Explorer::mapReady);
        const service::MapQuery query{side, explorer.currentHead()->layer, kind, isBefore};
        while (!explorer.map(query))
            if (!ready.wait())
                throw std::runtime_error("no map came");
        return explorer.map(query);
    }
    void waitForMaps()
    {
        for (const Side side : kSides)
            if (const auto run = explorer.state(side).run;
                run && run->after.heads.contains(*explorer.currentHead()))
                for (const engine::MapKind kind :
                     {engine::MapKind::Weights, engine::MapKind::Scores, engine::MapKind::Gate})
                    map(side, kind);
        settle();
    }
    /// Lays out, repeatedly since a map's height follows its width, and draws.
    static void settle()
    {
        for (int round = 0; round < 6; ++round)
            QApplication::processEvents();
    }
    int tokens() const { return static_cast<int>(explorer.state(Side::Left).run->tokens.size()); }
    double at(const engine::LayerMap& layer, panels::MapCell cell) const
    {
        const int head = explorer.currentHead()->head;
        return layer[(head * tokens() + cell.query) * tokens() + cell.key];
    }
    QRgb pixel(panels::HeadPlot& plot, panels::MapCell cell)
    {
        settle();
        return plot.grab().toImage().pixel(plot.cellRect(cell).center().toPoint()) | 0xff000000;
    }
    void send(panels::HeadPlot& plot, QEvent::Type type, QPointF at, Qt::MouseButtons buttons = {},
              Qt::MouseButton button = Qt::NoButton)
    {
        QMouseEvent event(type, at, plot.mapToGlobal(at), button, buttons, {});
        QApplication::sendEvent(&plot, &event);
    }
    void point(panels::HeadPlot& plot, panels::MapCell cell)
    {
        send(plot, QEvent::MouseMove, plot.cellRect(cell).center());
    }
    void click(panels::HeadPlot& plot, panels::MapCell cell)
    {
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.cellRect(cell).center().toPoint());
    }
    void wheel(panels::HeadPlot& plot, QPointF at, int steps)
    {
        QWheelEvent event(at, plot.mapToGlobal(at), {}, QPoint(0, 120 * steps), {}, {}, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(&plot, &event);
    }
    QString text(const char* name) const
    {
        return child<QLabel>(panel, name).text().replace(QChar::Nbsp, QLatin1Char(' '));
    }

    PanelStage stage;
    control::Explorer& explorer;
    panels::InspectorPanel panel;
    panels::HeadPlot& left;
    panels::HeadPlot& right;
};

QRgb weightColour(double weight)
{
    const control::Look look;
    return render::ColourMap::named(look.colourMap)
        .at(int(std::lround(255 * render::scaled(weight, look.scale))));
}

const std::array kProbes = {panels::MapCell{0, 0},  panels::MapCell{3, 1},  panels::MapCell{8, 2},
                            panels::MapCell{8, 3},  panels::MapCell{12, 6}, panels::MapCell{14, 0},
                            panels::MapCell{14, 14}};

}  // namespace

TEST_CASE("a cell has its weight's colour, its query down and its key to the right, on both sides")
{
    InspectorScene scene;
    for (const Side side : kSides) {
        panels::HeadPlot& plot = side == Side::Left ? scene.left : scene.right;
        const engine::LayerMap weights = scene.map(side);
        for (const panels::MapCell cell : kProbes) {
            CAPTURE(int(side), cell.query, cell.key);
            CHECK(scene.pixel(plot, cell) == weightColour(scene.at(weights, cell)));
        }
        CHECK(scene.pixel(plot, {2, 9}) == render::ColourMap::named({}).ground());
    }
    CHECK(scene.left.cellRect({3, 1}).center().y() < scene.left.cellRect({8, 1}).center().y());
    CHECK(scene.left.cellRect({8, 1}).center().x() < scene.left.cellRect({8, 5}).center().x());
}

TEST_CASE("scores, gate and differences are drawn in their own colours")
{
    InspectorScene scene;
    auto& views = child<QComboBox>(scene.panel, "inspectorView");
    const engine::LayerMap gate = scene.map(Side::Right, engine::MapKind::Gate);
    views.setCurrentIndex(views.findText(QStringLiteral("Gate")));
    for (const panels::MapCell cell : kProbes)
        CHECK(scene.pixel(scene.right, cell) ==
              render::ColourMap::named({}).at(scene.at(gate, cell) > 0 ? 255 : 0));

    views.setCurrentIndex(views.findText(QStringLiteral("Right − left")));
    const engine::LayerMap left = scene.map(Side::Left);
    const engine::LayerMap right = scene.map(Side::Right);
    CHECK_FALSE(scene.right.isVisible());
    for (const panels::MapCell cell : kProbes) {
        const double difference = scene.at(right, cell) - scene.at(left, cell);
        const double size = std::sqrt(std::abs(difference));
        const int level = 128 + int(std::round(127 * std::copysign(size, difference)));
        CHECK(scene.pixel(scene.left, cell) == render::ColourMap::diverging().at(level));
    }

    views.setCurrentIndex(views.findText(QStringLiteral("Scores")));
    const render::ColourMap map = render::ColourMap::named({});
    CHECK(scene.pixel(scene.left, {2, 9}) == map.ground());
    CHECK(scene.pixel(scene.left, {0, 0}) == map.at(255));
}

TEST_CASE("what ablation changed is shown once something is ablated")
{
    InspectorScene scene;
    scene.panel.setMapView(panels::MapView::AfterAblation);
    CHECK(scene.text("inspectorReadoutLeft") ==
          QStringLiteral("Nothing is ablated on this side, so nothing differs."));
    scene.explorer.setAblated(Side::Left, {{0, 0}}, true);
    scene.stage.settle();
    const engine::LayerMap before = scene.map(Side::Left, engine::MapKind::Weights, true);
    const engine::LayerMap after = scene.map(Side::Left);
    int changed = 0;
    for (const panels::MapCell cell : kProbes) {
        const double difference = scene.at(after, cell) - scene.at(before, cell);
        changed += difference != 0;
        const double size = std::sqrt(std::abs(difference));
        const int level = 128 + int(std::round(127 * std::copysign(size, difference)));
        CHECK(scene.pixel(scene.left, cell) == render::ColourMap::diverging().at(level));
    }
    CHECK(changed > 0);
}

TEST_CASE("no strong cell disappears where cells are smaller than pixels")
{
    PanelStage::Setup setup;
    setup.prompt = QStringLiteral("a b c d e f g h i j ").repeated(40);
    InspectorScene scene(setup, {500, 400});
    const engine::LayerMap weights = scene.map(Side::Left);
    InspectorScene::settle();
    REQUIRE(scene.left.view().cellSize().width() < 0.75);
    const QImage picture = scene.left.grab().toImage();
    for (int query = 0; query < scene.tokens(); query += 7)
        for (int key = 0; key <= query; ++key) {
            const double weight = scene.at(weights, {query, key});
            if (weight < 0.2)
                continue;
            const QPoint at = scene.left.cellRect({query, key}).center().toPoint();
            int darkest = 255;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    darkest = std::min(darkest, qGray(picture.pixel(at + QPoint(dx, dy))));
            CHECK(darkest <= qGray(weightColour(weight)));
        }
}

TEST_CASE("pointing at a cell tells everybody, leaving takes it back")
{
    InspectorScene scene;
    scene.point(scene.right, {14, 2});
    CHECK(scene.explorer.hover() == control::Hover{Side::Right, kHead, 14, 2});
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&scene.right, &leave);
    CHECK(scene.explorer.hover() == control::Hover{});
}

TEST_CASE("what is pointed at elsewhere is marked red, named and read on both sides")
{
    InspectorScene scene;
    const QImage before = scene.left.grab().toImage();
    CHECK(countPixels(before, isReddish) == 0);
    CHECK(scene.text("inspectorReadoutLeft") == QStringLiteral("Point at a cell to read it."));
    scene.explorer.setHover({Side::Left, HeadId{3, 3}, 14, 2});
    scene.waitForMaps();
    for (panels::HeadPlot* const plot : {&scene.left, &scene.right}) {
        const QImage picture = plot->grab().toImage();
        const QRectF cell = plot->cellRect({14, 2});
        const QRect place = plot->view().place();
        const QRect rowLabel(0, int(cell.top()), place.left() - 2, int(cell.height()));
        const QRect below(0, place.bottom() + 4, plot->width(), plot->height() - place.bottom() - 4);
        CHECK(countPixels(picture.copy(rowLabel), isReddish) > 10);
        CHECK(countPixels(picture.copy(below), isReddish) > 10);
        const QRect column(int(cell.left()) - 1, place.top(), 3, int(cell.top()) - place.top());
        CHECK(countPixels(picture.copy(column), isReddish) > column.height() / 3);
    }
    const panels::MapCell cell{14, 2};
    CHECK(scene.text("inspectorReadoutLeft") ==
          QStringLiteral("query 14 “to” → key 2 “Mary”   weight %1   score %2")
              .arg(panels::formatNumber(scene.at(scene.map(Side::Left), cell), 3),
                   panels::formatNumber(scene.at(scene.map(Side::Left, engine::MapKind::Scores), cell), 2)));
    CHECK(scene.text("inspectorReadoutRight").contains(QStringLiteral("gate")));
    scene.explorer.setHover({{}, {}, {}, 3});
    CHECK(scene.text("inspectorReadoutLeft") == QStringLiteral("key 3 “and”"));
}

TEST_CASE("a click pins the cell in one step, Escape releases it")
{
    InspectorScene scene;
    scene.click(scene.left, {9, 4});
    CHECK(scene.stage.document().query == 9);
    CHECK(scene.stage.document().key == 4);
    CHECK(scene.explorer.history().count() == 1);
    scene.explorer.setHover({});
    CHECK(scene.text("inspectorReadoutLeft").startsWith(QStringLiteral("query 9 “,” → key 4 “John”")));
    QTest::keyClick(&scene.left, Qt::Key_Escape);
    CHECK_FALSE(scene.stage.document().query);
    CHECK_FALSE(scene.stage.document().key);
    scene.explorer.history().undo();
    CHECK(scene.stage.document().key == 4);
}

TEST_CASE("the wheel zooms at the pointer on both sides, dragging pans, a double click shows all")
{
    InspectorScene scene;
    const QPointF at = scene.left.cellRect({8, 3}).center();
    scene.wheel(scene.left, at, 4);
    CHECK(scene.left.view().cellAt(at) == panels::MapCell{8, 3});
    CHECK(scene.left.view().seen().width() < 9);
    CHECK(scene.right.view().seen() == scene.left.view().seen());
    const engine::LayerMap weights = scene.map(Side::Left);
    CHECK(scene.pixel(scene.left, {8, 3}) == weightColour(scene.at(weights, {8, 3})));

    const QRectF seen = scene.left.view().seen();
    scene.send(scene.left, QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
    scene.send(scene.left, QEvent::MouseMove, at + QPointF(-60, 0), Qt::LeftButton);
    scene.send(scene.left, QEvent::MouseButtonRelease, at + QPointF(-60, 0), {}, Qt::LeftButton);
    CHECK(scene.left.view().seen().left() > seen.left());
    CHECK_FALSE(scene.stage.document().key);

    QTest::mouseClick(&scene.left, Qt::LeftButton, {}, at.toPoint());
    scene.send(scene.left, QEvent::MouseButtonDblClick, at, Qt::LeftButton, Qt::LeftButton);
    scene.send(scene.left, QEvent::MouseButtonRelease, at, {}, Qt::LeftButton);
    CHECK(scene.left.view().isFitted());
    CHECK_FALSE(scene.stage.document().key);
}

TEST_CASE("the keyboard moves the cell, pins it and zooms")
{
    InspectorScene scene;
    scene.left.setFocus();
    QTest::keyClick(&scene.left, Qt::Key_Down);
    CHECK(scene.explorer.hover() == control::Hover{Side::Left, kHead, 14, 0});
    QTest::keyClick(&scene.left, Qt::Key_Up);
    QTest::keyClick(&scene.left, Qt::Key_Right);
    QTest::keyClick(&scene.left, Qt::Key_Right);
    CHECK(scene.explorer.hover() == control::Hover{Side::Left, kHead, 13, 2});
    QTest::keyClick(&scene.left, Qt::Key_Return);
    CHECK(scene.stage.document().query == 13);
    CHECK(scene.stage.document().key == 2);
    QTest::keyClick(&scene.left, Qt::Key_Plus);
    CHECK(scene.left.view().seen().width() == Approx(10));
    QTest::keyClick(&scene.left, Qt::Key_0);
    CHECK(scene.left.view().isFitted());
}

TEST_CASE("the old picture stays, dimmed, until the new one is there")
{
    InspectorScene scene;
    const QRgb old = scene.pixel(scene.left, {14, 0});
    scene.stage.backend().hold(FakeBackend::Call::Maps);
    scene.explorer.setCurrent(Side::Left, HeadId{2, 4});
    scene.stage.backend().waitUntilHeld(FakeBackend::Call::Maps);
    CHECK(scene.text("inspectorHead") == QStringLiteral("L2H4"));
    const QColor ground = scene.panel.palette().color(scene.left.backgroundRole());
    CHECK(scene.pixel(scene.left, {14, 0}) == panels::mixed(ground, QColor::fromRgb(old), 0.45).rgb());
    scene.stage.backend().release(FakeBackend::Call::Maps);
    scene.waitForMaps();
    const engine::LayerMap weights = scene.map(Side::Left);
    for (const panels::MapCell cell : kProbes)
        CHECK(scene.pixel(scene.left, cell) == weightColour(scene.at(weights, cell)));
}

TEST_CASE("the check box switches the shown head off on its side")
{
    InspectorScene scene;
    auto& box = child<QCheckBox>(scene.panel, "inspectorAblatedRight");
    QTest::mouseClick(&box, Qt::LeftButton, {}, {8, box.height() / 2});
    CHECK(scene.stage.document().side(Side::Right).ablations.contains(kHead));
    CHECK(scene.stage.document().side(Side::Left).ablations.empty());
    CHECK(box.isChecked());
    CHECK(box.text() == QStringLiteral("Ablated: zero"));
    scene.explorer.edit(QStringLiteral("patch"), [](control::Document& document) {
        document.side(Side::Right).ablations[kHead] = engine::HeadAblation::Kind::Replace;
    });
    CHECK(box.text() == QStringLiteral("Patched"));
    scene.explorer.history().undo();
    scene.explorer.history().undo();
    CHECK_FALSE(box.isChecked());
    CHECK(box.text() == QStringLiteral("Ablate"));
}

TEST_CASE("with Shift a click cuts a cell and dragging a block, with Ctrl columns, with Alt rows")
{
    InspectorScene scene;
    const auto drag = [&](panels::MapCell from, panels::MapCell to, Qt::KeyboardModifiers modifiers) {
        const auto at = [&](panels::MapCell cell) { return scene.left.cellRect(cell).center().toPoint(); };
        QTest::mousePress(&scene.left, Qt::LeftButton, modifiers, at(from));
        QTest::mouseRelease(&scene.left, Qt::LeftButton, modifiers, at(to));
    };
    const auto change = [&] {
        const auto& ablations = scene.stage.document().side(Side::Left).ablations;
        return ablations.contains(kHead) ? toString(ablations.at(kHead)) : "";
    };
    drag({9, 4}, {9, 4}, Qt::ShiftModifier);
    CHECK(change() == "[9<4]");
    CHECK_FALSE(scene.stage.document().key);
    drag({9, 4}, {9, 4}, Qt::ShiftModifier);
    CHECK(change().empty());
    drag({12, 2}, {8, 4}, Qt::ShiftModifier);
    CHECK(change() == "[8-12<2-4]");
    scene.explorer.history().undo();
    drag({12, 0}, {12, 0}, Qt::ShiftModifier | Qt::ControlModifier);
    CHECK(change() == "[*<0]");
    scene.explorer.history().undo();
    scene.explorer.edit(QStringLiteral("method"), [](control::Document& document) {
        document.tool.cells = {CellMethod::Kind::Scale, 0.5};
    });
    drag({12, 3}, {12, 3}, Qt::ShiftModifier | Qt::AltModifier);
    CHECK(change() == "[12<*]:scale=0.5");
    CHECK(child<QCheckBox>(scene.panel, "inspectorAblatedLeft").isChecked());
    drag({2, 7}, {2, 7}, Qt::ShiftModifier);  // above the diagonal
    CHECK(change() == "[12<*]:scale=0.5");
}

TEST_CASE("X cuts the cell that the arrow keys are on")
{
    InspectorScene scene;
    scene.left.setFocus();
    QTest::keyClick(&scene.left, Qt::Key_Down);
    QTest::keyClick(&scene.left, Qt::Key_Right);
    QTest::keyClick(&scene.left, Qt::Key_X);
    CHECK(toString(scene.stage.document().side(Side::Left).ablations.at(kHead)) == "[14<1]");
}

TEST_CASE("the arrows go through the heads as the grid shows them, round and round")
{
    InspectorScene scene;
    QTest::mouseClick(&child<QToolButton>(scene.panel, "inspectorNext"), Qt::LeftButton);
    CHECK(scene.explorer.currentHead() == HeadId{1, 3});
    scene.explorer.setCurrent(Side::Left, HeadId{0, 0});
    QTest::mouseClick(&child<QToolButton>(scene.panel, "inspectorPrevious"), Qt::LeftButton);
    CHECK(scene.explorer.currentHead() == HeadId{3, 5});
    CHECK(scene.text("inspectorHead") == QStringLiteral("L3H5"));
}

TEST_CASE("without a head the panel says how to choose one")
{
    InspectorScene scene;
    scene.explorer.setCurrent(Side::Left, std::nullopt);
    CHECK(child<QLabel>(scene.panel, "inspectorEmpty").isVisible());
    CHECK_FALSE(scene.left.isVisible());
    CHECK(scene.text("inspectorEmpty").contains(QStringLiteral("double-click")));
}

TEST_CASE(
    "a side without a model is no obstacle, and one of another shape shows the head as deep and says so")
{
    PanelStage::Setup setup;
    setup.right.clear();
    InspectorScene alone(setup);
    CHECK(alone.left.isVisible());
    CHECK_FALSE(alone.right.isVisible());
    alone.panel.setMapView(panels::MapView::BetweenSides);
    CHECK(alone.text("inspectorReadoutLeft").startsWith(QStringLiteral("Both sides need this head")));

    setup.right = QStringLiteral("fake:1x2");
    InspectorScene smaller(setup);
    const QString title = smaller.panel.findChild<QLabel*>(QStringLiteral("inspectorTitleRight"))->toolTip();
    CHECK(title.contains(QStringLiteral(" L0H")));
    CHECK(title.endsWith(QStringLiteral(", by relative depth")));
    CHECK(smaller.right.view().keys() == smaller.left.view().keys());
}

TEST_CASE("one token makes one cell")
{
    PanelStage::Setup setup;
    setup.prompt = QStringLiteral("Mary");
    InspectorScene scene(setup);
    scene.explorer.edit(QStringLiteral("no bos"),
                        [](control::Document& document) { control::setBos(document, false); });
    scene.stage.settle();
    scene.waitForMaps();
    CHECK(scene.left.view().keys() == 1);
    CHECK(scene.pixel(scene.left, {0, 0}) == weightColour(1));
    scene.point(scene.left, {0, 0});
    CHECK(scene.explorer.hover().key == 0);
}

TEST_CASE("there is one map where there is no room for two")
{
    InspectorScene scene({}, {300, 400});
    CHECK(scene.left.isVisible());
    CHECK_FALSE(scene.right.isVisible());
    CHECK_FALSE(child<QToolButton>(scene.panel, "inspectorChoice1").isEnabled());
    QTest::mouseClick(&child<QToolButton>(scene.panel, "inspectorChoice2"), Qt::LeftButton);
    CHECK_FALSE(scene.left.isVisible());
    CHECK(scene.right.isVisible());
    present(scene.panel, {900, 700});
    CHECK(scene.left.isVisible());
    CHECK(scene.right.isVisible());
    CHECK(scene.left.mapTo(&scene.panel, QPoint()).y() == scene.right.mapTo(&scene.panel, QPoint()).y());
    present(scene.panel, {400, 1000});
    CHECK(scene.left.mapTo(&scene.panel, QPoint()).x() == scene.right.mapTo(&scene.panel, QPoint()).x());
}

TEST_CASE("a dark palette has dark maps, each head's own limits reach the last colour")
{
    InspectorScene scene;
    QPalette dark = scene.panel.palette();
    dark.setColor(QPalette::Base, Qt::black);
    dark.setColor(QPalette::Window, Qt::black);
    dark.setColor(QPalette::Text, Qt::white);
    scene.panel.setPalette(dark);
    const render::ColourMap map = render::ColourMap::named({}).onDark();
    CHECK(scene.pixel(scene.left, {2, 9}) == map.ground());
    scene.explorer.edit(QStringLiteral("per head"),
                        [](control::Document& document) { document.look.isPerHead = true; });
    const engine::LayerMap weights = scene.map(Side::Left);
    panels::MapCell strongest;
    for (int query = 0; query < scene.tokens(); ++query)
        for (int key = 0; key <= query; ++key)
            if (scene.at(weights, {query, key}) > scene.at(weights, strongest))
                strongest = {query, key};
    CHECK(scene.pixel(scene.left, strongest) == map.at(255));
}

TEST_CASE("the row of the marked query stands below as bars in the sides' colours")
{
    InspectorScene scene;
    auto& profile = child<QWidget>(scene.panel, "inspectorProfile");
    CHECK(scene.text("rowTitle") == QStringLiteral("Row of query 14 “to”"));
    scene.explorer.setHover({{}, {}, 8, {}});
    QApplication::processEvents();
    CHECK(scene.text("rowTitle") == QStringLiteral("Row of query 8 “store”"));
    const QImage picture = profile.grab().toImage();
    for (const Side side : kSides) {
        const QRgb colour = panels::sideColour(side, profile.palette()).rgb();
        CHECK(countPixels(picture, [&](const QColor& pixel) { return pixel.rgb() == colour; }) > 40);
    }
}
