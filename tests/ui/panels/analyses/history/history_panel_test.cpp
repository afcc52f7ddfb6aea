#include "panels/analyses/history/history_panel.h"

#include "panels/analyses/history/history_plot.h"
#include "panels/prompt/prompt_panel.h"
#include "panels/widgets/training_steps.h"
#include "support/catch.h"
#include "ui/panels/analyses/analysis_stage.h"

#include <QComboBox>
#include <QSlider>

#include <set>

using namespace hs;
using namespace hs::test;

namespace {

PanelStage::Setup training(const QString& left = QStringLiteral("fake:4x6@2"),
                           const QString& right = QStringLiteral("fake:4x6@5"))
{
    PanelStage::Setup setup;
    setup.left = left;
    setup.right = right;
    return setup;
}

struct HistoryScene : AnalysisScene<panels::HistoryPanel> {
    explicit HistoryScene(const PanelStage::Setup& setup = training())
        : AnalysisScene(service::AnalysisKind::History, setup)
    {
    }

    panels::HistoryPlot& plot() { return child<panels::HistoryPlot>(panel, "historyPlot"); }
};

}  // namespace

TEST_CASE("the heads that change most over training are drawn, each with the step where it jumps")
{
    HistoryScene scene;
    scene.run();
    REQUIRE(scene.plot().isVisible());
    const std::vector<panels::HeadCurve>& curves = scene.plot().curves();
    REQUIRE(curves.size() == 8);  // both sides are of one training, so its heads are drawn once
    CHECK(curves.front().head == HeadId{0, 0});
    for (const panels::HeadCurve& curve : curves) {
        CHECK(curve.side == Side::Left);
        CHECK(curve.values.size() == 6);
        REQUIRE(curve.jump);
        CHECK(*curve.jump == static_cast<std::size_t>(curve.head.head) + 1);
    }
    CHECK(scene.summary().contains(QStringLiteral("L0H0 jumps most: +0.510 by step 200")));
}

TEST_CASE("selected heads are drawn instead, and two trainings each in their colour")
{
    HistoryScene scene(training(QStringLiteral("fake:4x6@2"), QStringLiteral("fake:4x6+gate@1")));
    scene.run();
    CHECK(scene.plot().curves().size() == 16);
    scene.explorer().select({{1, 2}, {3, 4}});
    const auto& curves = scene.plot().curves();
    REQUIRE(curves.size() == 4);
    CHECK(curves[0].head == HeadId{1, 2});
    CHECK(curves[3].head == HeadId{3, 4});
    CHECK(curves[3].side == Side::Right);
}

TEST_CASE("a click on a point goes to its step, in one step to undo, and the history stays")
{
    HistoryScene scene;
    scene.run();
    QCoreApplication::processEvents();
    const int runs = scene.stage.backend().count(FakeBackend::Call::Analysis);
    QTest::mouseClick(&scene.plot(), Qt::LeftButton, {}, scene.plot().placeOf(0, 4).toPoint());
    scene.stage.settle();
    CHECK(scene.document().side(Side::Left).model == QStringLiteral("fake:4x6@4"));
    CHECK_FALSE(scene.analyses().state(service::AnalysisKind::History, Side::Left).isOutdated);
    CHECK(scene.stage.backend().count(FakeBackend::Call::Analysis) == runs);
    scene.explorer().history().undo();
    scene.stage.settle();
    CHECK(scene.document().side(Side::Left).model == QStringLiteral("fake:4x6@2"));
}

TEST_CASE("the metric is the document's, and its curves are drawn at once")
{
    HistoryScene scene;
    scene.run();
    auto& metric = child<QComboBox>(scene.panel, "historyMetric");
    const int peak = metric.currentIndex();
    Q_EMIT metric.activated(peak == 0 ? 1 : 0);
    CHECK(scene.document().analyses.historyMetric != QStringLiteral("peak"));
    CHECK(scene.plot().curves().empty());  // nothing else changes in the made-up training
    scene.explorer().history().undo();
    CHECK(metric.currentIndex() == peak);
    CHECK(scene.plot().curves().size() == 8);
}

TEST_CASE("a training that is stopped on the way shows what is known of it")
{
    HistoryScene scene;
    scene.stage.backend().hold(FakeBackend::Call::Analysis);
    QTest::mouseClick(&scene.button(), Qt::LeftButton);
    scene.waitForPart(Side::Left);
    QTest::mouseClick(&scene.button(), Qt::LeftButton);
    scene.waitUntilDone();
    CHECK(scene.plot().curves().front().values.size() == 3);
    CHECK(scene.note().contains(QStringLiteral("3 of 6 steps")));
    scene.stage.backend().release(FakeBackend::Call::Analysis);
}

TEST_CASE("models without other steps say what to open")
{
    HistoryScene scene(training(QStringLiteral("fake:4x6"), QStringLiteral("fake:4x6+gate")));
    CHECK_FALSE(scene.button().isEnabled());
    CHECK(scene.note().contains(QStringLiteral("checkpoint-500")));
}

TEST_CASE("the step of a training has a dial, and turning it is one step to undo")
{
    PanelStage stage(training(QStringLiteral("fake:4x6@2"), QStringLiteral("fake:4x6")));
    panels::PromptPanel panel(stage.explorer());
    present(panel, {900, 300});
    auto& dial = child<QSlider>(panel, "trainingDial");
    CHECK(panel.findChildren<QSlider*>(QStringLiteral("trainingDial")).size() == 1);
    CHECK(dial.maximum() == 5);
    CHECK(dial.value() == 2);
    const int steps = stage.explorer().history().count();
    for (const int value : {3, 4, 5})
        dial.setValue(value);
    stage.settle();
    CHECK(stage.document().side(Side::Left).model == QStringLiteral("fake:4x6@5"));
    CHECK(panels::stepShown(stage.explorer(), Side::Left) == std::size_t{5});
    CHECK(panels::stepWords(*stage.explorer().state(Side::Left).model, 5) == QStringLiteral("step 600"));
    CHECK(stage.explorer().history().count() == steps + 1);
    stage.explorer().history().undo();
    stage.settle();
    CHECK(dial.value() == 2);
}
