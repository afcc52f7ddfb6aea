#include "panels/analyses/sweep/sweep_panel.h"

#include "panels/analyses/head_bars.h"
#include "panels/analyses/sweep/sweep_values.h"
#include "support/catch.h"
#include "ui/panels/analyses/analysis_stage.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QTemporaryDir>

using namespace hs;
using namespace hs::test;

namespace {

struct SweepScene : AnalysisScene<panels::SweepPanel> {
    explicit SweepScene(const PanelStage::Setup& setup = {})
        : AnalysisScene(service::AnalysisKind::Sweep, setup)
    {
    }

    panels::HeadBars& bars() { return child<panels::HeadBars>(panel, "sweepBars"); }
    QComboBox& combo(const char* name) { return child<QComboBox>(panel, name); }
    void pick(const char* name, int index)
    {
        combo(name).setFocus();
        QTest::keyClick(&combo(name), Qt::Key_Home);
        for (int step = 0; step < index; ++step)
            QTest::keyClick(&combo(name), Qt::Key_Down);
    }
    const analyses::Sweep& sweep(Side side)
    {
        return std::get<analyses::Sweep>(
            *analyses().state(service::AnalysisKind::Sweep, side).finding->result);
    }
    void click(Side side, int rank, Qt::KeyboardModifiers modifiers = {})
    {
        QApplication::processEvents();  // bars are laid out when they are drawn
        QTest::mouseClick(&bars(), Qt::LeftButton, modifiers, bars().stripOf(side, rank).center().toPoint());
    }
};

}  // namespace

TEST_CASE("a sweep runs when it is asked for, and shows what each head changes, the most first")
{
    SweepScene scene;
    CHECK(child<QLabel>(scene.panel, "analysisEmpty").isVisible());
    CHECK_FALSE(scene.bars().isVisible());
    scene.run();
    REQUIRE(scene.bars().isVisible());
    for (const Side side : kSides) {
        const std::vector<panels::HeadBar>& bars = scene.bars().bars(side);
        REQUIRE(bars.size() == 24);
        for (std::size_t rank = 0; rank < bars.size(); ++rank) {
            const analyses::Sweep& sweep = scene.sweep(side);
            const auto unit = static_cast<std::size_t>(sweep.shape.indexOf(bars[rank].heads.front()));
            CHECK(bars[rank].value == sweep.changes[unit].logitDifference);
            CHECK((rank == 0 || std::abs(bars[rank - 1].value) >= std::abs(bars[rank].value)));
        }
    }
    CHECK(scene.summary() ==
          QStringLiteral("Logit difference with nothing ablated: 4x6 4.25, 4x6+gate 4.25"));
    CHECK(scene.note().isEmpty());
}

TEST_CASE("the form sets up the sweep, each choice one step that can be undone")
{
    SweepScene scene;
    const int steps = scene.steps();
    scene.pick("sweepUnits", 2);
    CHECK(scene.document().analyses.sweep.units == analyses::SweepUnits::Layers);
    scene.explorer().history().undo();
    scene.explorer().history().undo();
    CHECK(scene.steps() == steps);
    CHECK(scene.combo("sweepUnits").currentIndex() == 0);
    scene.pick("sweepMethod", 1);
    CHECK(scene.document().analyses.sweep.method == analyses::SweepMethod::Mean);
    auto& target = child<QLineEdit>(scene.panel, "targetEdit");
    target.setFocus();
    QTest::keyClicks(&target, QStringLiteral("Mary"));
    QTest::keyClick(&target, Qt::Key_Return);
    CHECK(scene.document().target == QStringLiteral("Mary"));
    scene.explorer().history().undo();
    CHECK(scene.document().target.isEmpty());
    CHECK(target.text().isEmpty());
}

TEST_CASE("what is shown can be changed without running again")
{
    SweepScene scene;
    scene.run();
    const int runs = scene.stage.backend().count(FakeBackend::Call::Analysis);
    scene.pick("sweepReading", 2);
    CHECK(scene.bars().bars(Side::Left).front().value == scene.sweep(Side::Left).changes.front().probability);
    CHECK(scene.summary().startsWith(QStringLiteral("Probability with nothing ablated")));
    CHECK(scene.stage.backend().count(FakeBackend::Call::Analysis) == runs);
}

TEST_CASE("a bar selects its tile and points at it, and Ctrl adds to the selection")
{
    SweepScene scene;
    scene.run();
    const HeadId first = scene.bars().bars(Side::Left)[0].heads.front();
    const HeadId other = scene.bars().bars(Side::Right)[3].heads.front();
    scene.click(Side::Left, 0);
    CHECK(scene.explorer().selection() == std::set<HeadId>{first});
    CHECK(scene.explorer().currentHead() == first);
    CHECK(scene.explorer().hover().head == first);
    CHECK(scene.explorer().hover().side == Side::Left);
    scene.click(Side::Right, 3, Qt::ControlModifier);
    CHECK(scene.explorer().selection() == std::set<HeadId>{first, other});
    CHECK(scene.explorer().activeSide() == Side::Right);
    scene.click(Side::Right, 3, Qt::ControlModifier);
    CHECK(scene.explorer().selection() == std::set<HeadId>{first});
}

TEST_CASE("a layer's bar stands for all its heads")
{
    SweepScene scene;
    scene.pick("sweepUnits", 2);
    scene.run();
    REQUIRE(scene.bars().bars(Side::Left).size() == 4);
    CHECK(scene.bars().bars(Side::Left).front().name == QStringLiteral("L0"));
    scene.click(Side::Left, 0);
    CHECK(scene.explorer().selection().size() == 6);
}

TEST_CASE("stopping keeps what is known, and says how much it is")
{
    SweepScene scene;
    scene.stage.backend().hold(FakeBackend::Call::Analysis);
    QTest::mouseClick(&scene.button(), Qt::LeftButton);
    CHECK(scene.button().text() == QStringLiteral("Stop"));
    scene.waitForPart(Side::Left);
    QTest::mouseClick(&scene.button(), Qt::LeftButton);
    scene.waitUntilDone();
    CHECK(scene.button().text() == QStringLiteral("Run"));
    REQUIRE(scene.bars().bars(Side::Left).size() == 12);
    CHECK(scene.note().contains(QStringLiteral("Partial: 12 of 24 heads.")));
    scene.stage.backend().release(FakeBackend::Call::Analysis);
}

TEST_CASE("a result whose prompt has changed stays, and says that it is outdated and why")
{
    SweepScene scene;
    scene.run();
    scene.explorer().edit(QStringLiteral("type"), [](control::Document& document) {
        control::setPrompt(document, document.prompt().text + QStringLiteral(" a"));
    });
    scene.stage.settle();
    CHECK(scene.note() == QStringLiteral("Outdated: the prompt changed since. Run it again."));
    CHECK(scene.bars().isVisible());
    scene.explorer().edit(QStringLiteral("method"), [](control::Document& document) {
        document.analyses.sweep.method = analyses::SweepMethod::Mean;
    });
    CHECK(scene.note() == QStringLiteral("Outdated: the prompt and the set-up changed since. Run it again."));
    scene.explorer().history().undo();
    scene.explorer().history().undo();
    scene.stage.settle();
    CHECK(scene.note().isEmpty());
}

TEST_CASE("a set-up that cannot run is said before any run")
{
    SweepScene scene;
    scene.pick("sweepMethod", 2);
    CHECK(scene.note().contains(QStringLiteral("There is no corrupted prompt")));
    CHECK_FALSE(scene.button().isEnabled());
    scene.pick("sweepMethod", 0);
    CHECK(scene.note().isEmpty());
    CHECK(scene.button().isEnabled());
}

TEST_CASE("exported numbers are those of the sweep, in the columns of the command line")
{
    SweepScene scene;
    scene.run();
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("sweep.csv")));
    scene.panel.actions().exportData(file.fileName());
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    REQUIRE(lines.size() == 1 + 2 * 24);
    CHECK(lines[0] == "side,layer,head,logit,logit_diff,prob,loss,kl");
    const QList<QByteArray> row = lines[1 + 24 + 7].split(',');
    const engine::VariantReading& change = scene.sweep(Side::Right).changes[7];
    CHECK(row[0].toInt() == 1);
    CHECK(row[1].toInt() == 1);
    CHECK(row[2].toInt() == 1);
    CHECK(row[3].toDouble() == change.logit);
    CHECK(row[4].toDouble() == change.logitDifference);
    CHECK(row[5].toDouble() == change.probability);
    CHECK(row[6].toDouble() == change.loss);
    CHECK(row[7].toDouble() == change.divergence);
}

TEST_CASE("a plot that cannot be written is a message with the remedy")
{
    SweepScene scene;
    scene.run();
    QSignalSpy messages(&scene.explorer(), &control::Explorer::messageRaised);
    scene.panel.actions().exportData(QStringLiteral("/no/such/folder/data.csv"));
    scene.panel.actions().exportPlot(scene.bars(), QStringLiteral("plot.gif"));
    CHECK(messages.count() == 2);
}

TEST_CASE("no model, an empty prompt, one side alone and models of different shapes are no trouble")
{
    PanelStage::Setup setup;
    SECTION("no model")
    {
        setup.left = setup.right = QString();
        SweepScene scene(setup);
        CHECK(scene.note() == QStringLiteral("Open a model first."));
        CHECK_FALSE(scene.button().isEnabled());
        CHECK_FALSE(scene.choose(QStringLiteral("Order grids")));
    }
    SECTION("empty prompt")
    {
        setup.prompt.clear();
        SweepScene scene(setup);
        CHECK(scene.note().contains(QStringLiteral("type some text")));
        CHECK_FALSE(scene.button().isEnabled());
    }
    SECTION("one side alone")
    {
        setup.left.clear();
        SweepScene scene(setup);
        scene.run();
        CHECK(scene.bars().bars(Side::Left).empty());
        CHECK(scene.bars().bars(Side::Right).size() == 24);
        CHECK(scene.choose(QStringLiteral("Order grids")));
        CHECK(scene.document().side(Side::Left).grid == control::GridChoice());
    }
    SECTION("different shapes, one of 1,024 heads")
    {
        setup.left = QStringLiteral("fake:32x32");
        setup.right = QStringLiteral("fake:2x3");
        SweepScene scene(setup);
        scene.run();
        CHECK(scene.bars().bars(Side::Left).size() == 1024);
        CHECK(scene.bars().bars(Side::Right).size() == 6);
        scene.click(Side::Left, 5);
        scene.click(Side::Right, 5);
        CHECK(scene.choose(QStringLiteral("Order grids")));
        CHECK(scene.document().side(Side::Left).grid.list.size() == 1024);
        CHECK(scene.document().side(Side::Right).grid.list.size() == 6);
    }
}
