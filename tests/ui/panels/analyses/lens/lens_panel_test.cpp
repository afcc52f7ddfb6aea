#include "panels/analyses/lens/lens_panel.h"

#include "panels/analyses/lens/lens_table.h"
#include "support/catch.h"
#include "ui/panels/live_stage.h"
#include "ui/panels/pointing.h"

#include <QBrush>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QTest>
#include <QUndoStack>

#include <cmath>

using namespace hs;
using namespace hs::test;

namespace {

using Choice = control::LensChoice;

struct LensScene : LiveStage<panels::LensPanel, service::AnalysisKind::Lens> {
    explicit LensScene(const PanelStage::Setup& setup = {}, QSize size = {1000, 260}) : LiveStage(setup, size)
    {
        waitForSaliency();
    }

    panels::LensTable& table(Side side)
    {
        return child<panels::LensTable>(panel, side == Side::Left ? "lensTable0" : "lensTable1");
    }
    QString reading() { return child<QLabel>(panel, "lensReading").text(); }
    const control::AnalysisState& saliency(Side side)
    {
        return analyses().state(service::AnalysisKind::Saliency, side);
    }
    void waitForSaliency()
    {
        REQUIRE(QTest::qWaitFor([this] { return !analyses().isRunning(service::AnalysisKind::Saliency); }));
        settle();
    }
    void change(const std::function<void(Choice&)>& change)
    {
        edit([&](control::Document& document) { change(document.analyses.lens); });
        waitForSaliency();
    }
    void point(Side side, int row, int column)
    {
        panels::LensTable& shown = table(side);
        const QModelIndex index = shown.model()->index(row, column);
        shown.scrollTo(index);
        pointAt(*shown.viewport(), shown.visualRect(index).center());
    }
};

QColor colourOf(const panels::LensTable& table, int row, int column)
{
    return table.model()->index(row, column).data(Qt::BackgroundRole).value<QBrush>().color();
}

}  // namespace

TEST_CASE("a lens has a row for each depth, the answer on top, and a column for each token")
{
    LensScene scene;
    for (const Side side : kSides) {
        const panels::LensTable& table = scene.table(side);
        CHECK(table.model()->rowCount() == 5);
        CHECK(table.model()->columnCount() == 15);
        CHECK(table.model()->headerData(0, Qt::Vertical) == QStringLiteral("L3"));
        CHECK(table.model()->headerData(4, Qt::Vertical) == QStringLiteral("embed"));
        CHECK(table.model()->headerData(2, Qt::Horizontal) == QStringLiteral("·Mary"));
        CHECK(table.lens().readingAt(table.model()->index(0, 3)) ==
              scene.found<service::PromptLens>(side).layers.back().positions[3]);
    }
    scene.change([](Choice& choice) { choice.withHalves = true; });
    CHECK(scene.table(Side::Left).model()->rowCount() == 9);
    CHECK(scene.table(Side::Left).model()->headerData(1, Qt::Vertical) == QStringLiteral("L3 attn"));
}

TEST_CASE("pointing at a cell reads its five tokens and the target's rank, and marks its query")
{
    LensScene scene;
    scene.point(Side::Right, 1, 4);
    INFO(scene.reading().toStdString());
    CHECK(scene.reading().contains(QStringLiteral("after L2 at ·John 4")));
    CHECK(scene.reading().count(QStringLiteral("%")) == 6);
    CHECK(scene.reading().contains(QStringLiteral("no. 101")));
    CHECK(scene.stage.explorer().hover().query == 4);
    CHECK(scene.stage.explorer().hover().side == Side::Right);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(scene.table(Side::Right).viewport(), &leave);
    CHECK_FALSE(scene.stage.explorer().hover().query);
}

TEST_CASE("a click pins the position as the query, another releases it, and both can be undone")
{
    LensScene scene;
    panels::LensTable& table = scene.table(Side::Left);
    const auto click = [&] {
        const QModelIndex index = table.model()->index(2, 9);
        table.scrollTo(index);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
    };
    click();
    CHECK(scene.stage.document().query == 9);
    click();
    CHECK_FALSE(scene.stage.document().query);
    scene.stage.explorer().history().undo();
    CHECK(scene.stage.document().query == 9);
}

TEST_CASE("cells are coloured by probability, or by the target's rank")
{
    LensScene scene;
    const panels::LensTable& table = scene.table(Side::Left);
    const QColor sure = colourOf(table, 0, 3);
    const QColor unsure = colourOf(table, 4, 3);
    CHECK(qGray(sure.rgb()) < qGray(unsure.rgb()));
    auto& choice = child<QComboBox>(scene.panel, "lensColour");
    const int steps = scene.stage.explorer().history().count();
    choice.setCurrentIndex(1);
    Q_EMIT choice.activated(1);
    scene.settle();
    CHECK(scene.stage.document().analyses.lens.colour == Choice::Colour::Rank);
    CHECK(scene.stage.explorer().history().count() == steps + 1);
    CHECK(colourOf(table, 0, 3) != sure);  // rank 1 has the deepest colour
    CHECK(colourOf(table, 1, 3) != colourOf(table, 0, 3));
    scene.stage.explorer().history().undo();
    scene.settle();
    CHECK(choice.currentIndex() == 0);
    CHECK(colourOf(table, 0, 3) == sure);
}

TEST_CASE(
    "what tokens do for the logit stands above them, by the gradients chosen, and costs nothing if it is not")
{
    LensScene scene;
    const panels::LensModel& lens = scene.table(Side::Left).lens();
    CHECK(lens.saliencyOf(0) == 2);
    CHECK(lens.saliencyOf(1) == -1);
    CHECK(lens.largestSaliency() == 2);
    const int high = scene.table(Side::Left).horizontalHeader()->height();
    scene.change([](Choice& choice) { choice.saliency = Choice::Saliency::Integrated; });
    CHECK(scene.saliency(Side::Left).finding->request.lens.steps > 1);
    CHECK(lens.saliencyOf(0) == 2.0 / scene.saliency(Side::Left).finding->request.lens.steps);
    CHECK(scene.reading().contains(QStringLiteral("add up to")));
    scene.change([](Choice& choice) { choice.saliency = Choice::Saliency::None; });
    CHECK(std::isnan(lens.saliencyOf(0)));
    CHECK(scene.table(Side::Left).horizontalHeader()->height() < high);
    const int runs = scene.runs();
    scene.edit([](control::Document& document) {
        control::setPrompt(document, document.prompt().text + QStringLiteral(" Mary"));
    });
    scene.waitForSaliency();
    CHECK(scene.runs() == runs + 2);
}

TEST_CASE("a lens asks again for what changes it: the target, ablations, and without a target the position")
{
    LensScene scene;
    const auto runs = [&](const std::function<void(control::Document&)>& change) {
        scene.change([](Choice& choice) { choice.saliency = Choice::Saliency::None; });
        const int before = scene.runs();
        scene.edit(change);
        return scene.runs() - before;
    };
    CHECK(runs([](control::Document& document) { document.position = 3; }) == 2);
    CHECK(runs([](control::Document& document) { document.target = QStringLiteral("Mary"); }) == 2);
    CHECK(runs([](control::Document& document) { document.position = 5; }) == 0);
    CHECK(runs([](control::Document& document) { document.distractor = QStringLiteral("John"); }) == 0);
    CHECK(runs([](control::Document& document) {
              document.side(Side::Right).ablations[{1, 2}] = engine::HeadAblation::Kind::Zero;
          }) == 1);
}

TEST_CASE("lenses of as many rows and columns scroll together, and begin at the last token")
{
    LensScene scene({}, {700, 260});
    const QScrollBar& left = *scene.table(Side::Left).horizontalScrollBar();
    QScrollBar& right = *scene.table(Side::Right).horizontalScrollBar();
    REQUIRE(right.maximum() > 0);
    CHECK(right.value() == right.maximum());
    right.setValue(right.maximum() / 2);
    CHECK(left.value() == right.value());
}

TEST_CASE("a lens table has a row a cell, and its menu nothing about heads")
{
    LensScene scene;
    const figures::DataTable table =
        panels::lensData({&scene.found<service::PromptLens>(Side::Left), nullptr});
    CHECK(table.columns.size() == 7);
    CHECK(table.columns.front().values.size() == 5 * 15);
    scene.panel.actions().fill();
    CHECK(scene.panel.actions().findChild<QAction*>(QStringLiteral("exportData"))->isEnabled());
    CHECK_FALSE(scene.panel.actions().findChild<QAction*>(QStringLiteral("makeFigure")));
    CHECK_FALSE(scene.panel.actions().findChild<QAction*>(QStringLiteral("ablateThese")));
}
