#include "panels/analyses/circuit/circuit_panel.h"

#include "control/figures/figure_results.h"
#include "panels/analyses/circuit/circuit_values.h"
#include "panels/analyses/circuit/path_graph.h"
#include "panels/analyses/effect_curves.h"
#include "panels/analyses/head_bars.h"
#include "panels/prompt/example_menu.h"
#include "panels/prompt/prompt_edit.h"
#include "support/catch.h"
#include "ui/panels/analyses/analysis_stage.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QTemporaryDir>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

const QString kOtherName = QStringLiteral("When Mary and John went to the store , Mary gave a drink to");

struct CircuitScene : AnalysisScene<panels::CircuitPanel> {
    explicit CircuitScene(const PanelStage::Setup& setup = {})
        : AnalysisScene(service::AnalysisKind::Circuit, setup)
    {
        edit([](control::Document& document) { document.corrupted = kOtherName; });
    }

    void edit(const std::function<void(control::Document&)>& change)
    {
        explorer().edit(QStringLiteral("edit"), change);
        stage.settle();
    }
    panels::HeadBars& bars() { return child<panels::HeadBars>(panel, "circuitBars"); }
    panels::EffectCurves& curves() { return child<panels::EffectCurves>(panel, "circuitCurves"); }
    const analyses::Circuit& circuit(Side side)
    {
        return std::get<analyses::Circuit>(
            *analyses().state(service::AnalysisKind::Circuit, side).finding->result);
    }
    void pickCount(Side side, int count)
    {
        QApplication::processEvents();  // curves are laid out when they are drawn
        QTest::mouseClick(&curves(), Qt::LeftButton, {}, curves().pointAt(side, count).toPoint());
    }
    std::size_t ablated(Side side) { return document().side(side).ablations.size(); }
};

}  // namespace

TEST_CASE("a circuit shows what each head does alone and what the first of them explain")
{
    CircuitScene scene;
    scene.run();
    const analyses::Circuit& circuit = scene.circuit(Side::Left);
    const std::vector<panels::HeadBar>& bars = scene.bars().bars(Side::Left);
    REQUIRE(bars.size() == circuit.units.size());
    for (std::size_t rank = 0; rank < bars.size(); ++rank) {
        CHECK(bars[rank].value == circuit.units[rank].effect);
        CHECK(bars[rank].isChosen == (static_cast<int>(rank) < circuit.smallest));
    }
    REQUIRE(scene.curves().curve(Side::Right).points.size() == circuit.curve.size());
    CHECK(scene.curves().curve(Side::Right).smallest == circuit.smallest);
    CHECK(scene.summary() == QStringLiteral("Corrupted → clean: 4x6 −3.50 → 4.25, 4x6+gate −3.50 → 4.25"));
}

TEST_CASE("the factor between two circuits is said")
{
    analyses::Circuit dense, sparse;
    dense.curve = sparse.curve = {{0, 0}, {1, 1}};
    dense.smallest = 19;
    sparse.smallest = 2;
    CHECK(panels::factorText({&dense, &sparse}) == QStringLiteral("9.5× fewer heads"));
    dense.kind = sparse.kind = analyses::CircuitUnits::Edges;
    dense.smallest = 776;
    sparse.smallest = 8;
    CHECK(panels::factorText({&dense, &sparse}) == QStringLiteral("97× fewer edges"));
    sparse.smallest = 776;
    CHECK(panels::factorText({&dense, &sparse}).isEmpty());
    CHECK(panels::factorText({&dense, nullptr}).isEmpty());
}

TEST_CASE("the form of a circuit edits the document, each choice in one step")
{
    CircuitScene scene;
    const int steps = scene.steps();
    auto& level = child<QDoubleSpinBox>(scene.panel, "circuitLevel");
    level.setFocus();
    QTest::keyClick(&level, Qt::Key_Down);
    QTest::keyClick(&level, Qt::Key_Down);
    CHECK(scene.document().analyses.circuit.level == Approx(0.8));
    CHECK(scene.steps() == steps + 1);
    QTest::mouseClick(&child<QCheckBox>(scene.panel, "circuitRefine"), Qt::LeftButton, {}, {8, 8});
    CHECK(scene.document().analyses.circuit.isRefined);
    CHECK(scene.steps() == steps + 2);
    auto& units = child<QComboBox>(scene.panel, "circuitUnits");
    units.setFocus();
    QTest::keyClick(&units, Qt::Key_Down);
    CHECK(scene.document().analyses.circuit.units == analyses::CircuitUnits::Edges);
    CHECK(scene.steps() == steps + 3);
    while (scene.steps() > steps)
        scene.explorer().history().undo();
    CHECK(level.value() == Approx(0.9));
    CHECK(units.currentIndex() == 0);
    CHECK_FALSE(child<QCheckBox>(scene.panel, "circuitRefine").isChecked());
}

TEST_CASE("a level that the form cannot show exactly stays as it is")
{
    CircuitScene scene;
    scene.edit([](control::Document& document) { document.analyses.circuit.level = 0.123456; });
    CHECK(scene.document().analyses.circuit.level == 0.123456);
    CHECK(child<QDoubleSpinBox>(scene.panel, "circuitLevel").value() == 0.12);
    CHECK(scene.explorer().history().count() == 2);
    scene.explorer().history().undo();
    scene.explorer().history().redo();
    CHECK(scene.document().analyses.circuit.level == 0.123456);
    CHECK(scene.explorer().history().count() == 2);
}

TEST_CASE("the panel shows both prompts, and an example brings both in one step")
{
    CircuitScene scene;
    auto& line = child<panels::PromptEdit>(scene.panel, "corruptedEdit");
    CHECK(line.toPlainText() == kOtherName);
    CHECK(child<QLabel>(scene.panel, "cleanPrompt").toolTip() == scene.document().prompt().text);
    const control::Document before = scene.document();
    const int steps = scene.steps();
    auto& menu =
        dynamic_cast<panels::ExampleMenu&>(*child<QPushButton>(scene.panel, "analysisExamples").menu());
    menu.fill();
    REQUIRE(hs::test::choose(menu, QStringLiteral("When")));
    CHECK(scene.steps() == steps + 1);
    CHECK_FALSE(scene.document().corrupted.isEmpty());
    CHECK(scene.document().corrupted != kOtherName);
    CHECK(line.toPlainText() == scene.document().corrupted);
    CHECK_FALSE(scene.document().target.isEmpty());
    CHECK_FALSE(scene.document().distractor.isEmpty());
    scene.explorer().history().undo();
    CHECK(scene.document() == before);
}

TEST_CASE("an edge's bar is named by its cell, selects its head and pins the cell")
{
    CircuitScene scene;
    scene.edit(
        [](control::Document& document) { document.analyses.circuit.units = analyses::CircuitUnits::Edges; });
    scene.run();
    const panels::HeadBar bar = scene.bars().bars(Side::Left)[2];
    CHECK(bar.name == QStringLiteral("L0H2 14←2"));
    QApplication::processEvents();
    QTest::mouseClick(&scene.bars(), Qt::LeftButton, {},
                      scene.bars().stripOf(Side::Left, 2).center().toPoint());
    CHECK(scene.explorer().selection() == std::set<HeadId>{{0, 2}});
    CHECK(scene.document().key == 2);
    CHECK(scene.document().query == 14);
}

TEST_CASE("paths are drawn as a graph in place of the curves, and a line picks the heads that it joins")
{
    CircuitScene scene;
    auto& graph = child<panels::PathGraph>(scene.panel, "circuitPaths");
    scene.edit(
        [](control::Document& document) { document.analyses.circuit.units = analyses::CircuitUnits::Paths; });
    CHECK_FALSE(child<QDoubleSpinBox>(scene.panel, "circuitLevel").isEnabled());
    scene.run();
    CHECK(graph.isVisibleTo(&scene.panel));
    CHECK_FALSE(scene.curves().isVisibleTo(&scene.panel));
    CHECK(graph.paths(Side::Right).lines.size() == static_cast<std::size_t>(panels::kShownPaths));
    CHECK(scene.bars().bars(Side::Left)[1].name == QStringLiteral("L0H1 → L1H0 key"));
    CHECK(scene.bars().bars(Side::Left)[0].name == QStringLiteral("L0H0 → logits"));
    graph.resize(400, 300);
    QTest::mouseClick(&graph, Qt::LeftButton, {}, graph.middleOf(Side::Left, 1).toPoint());
    CHECK(scene.explorer().selection() == std::set<HeadId>{{0, 1}, {1, 0}});
    scene.edit(
        [](control::Document& document) { document.analyses.circuit.units = analyses::CircuitUnits::Heads; });
    scene.run();
    CHECK_FALSE(graph.isVisibleTo(&scene.panel));
    CHECK(scene.curves().isVisibleTo(&scene.panel));
}

TEST_CASE("a count picked on a curve selects the first heads, and they are what is acted on")
{
    CircuitScene scene;
    scene.run();
    const int smallest = scene.circuit(Side::Left).smallest;
    REQUIRE(smallest > 5);
    scene.pickCount(Side::Left, 5);
    CHECK(scene.explorer().selection() == std::set<HeadId>{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}});
    CHECK_FALSE(scene.bars().bars(Side::Left)[5].isChosen);
    const int steps = scene.steps();
    REQUIRE(scene.choose(QStringLiteral("Ablate all but these")));
    CHECK(scene.steps() == steps + 1);
    CHECK(scene.ablated(Side::Left) == 24 - 5);
    CHECK(scene.ablated(Side::Right) == 24 - static_cast<std::size_t>(smallest));
}

TEST_CASE("all but the circuit are patched from the corrupted prompt, in one step for both sides")
{
    CircuitScene scene;
    scene.run();
    const auto smallest = static_cast<std::size_t>(scene.circuit(Side::Left).smallest);
    const int steps = scene.steps();
    REQUIRE(scene.choose(QStringLiteral("Patch all but these")));
    CHECK(scene.steps() == steps + 1);
    for (const Side side : kSides) {
        CHECK(scene.ablated(side) == 24 - smallest);
        for (const auto& [head, kind] : scene.document().side(side).ablations)
            CHECK(kind == engine::HeadAblation::Kind::Replace);
        CHECK_FALSE(scene.document().side(side).ablations.contains({0, 0}));
    }
    scene.explorer().history().undo();
    CHECK(scene.ablated(Side::Left) + scene.ablated(Side::Right) == 0);
    scene.edit([](control::Document& document) { document.corrupted.clear(); });
    CHECK_FALSE(scene.choose(QStringLiteral("Patch all but these")));
}

TEST_CASE("a result orders, filters and annotates both grids, and the matrix comes back")
{
    CircuitScene scene;
    scene.run();
    const auto smallest = static_cast<std::size_t>(scene.circuit(Side::Left).smallest);
    REQUIRE(scene.choose(QStringLiteral("Order grids by this")));
    for (const control::SideSetup& side : scene.document().sides) {
        CHECK(side.grid.form == control::GridChoice::Form::List);
        CHECK(side.grid.list.size() == 24);
    }
    REQUIRE(scene.choose(QStringLiteral("Show only these heads")));
    CHECK(scene.document().side(Side::Left).grid.list.size() == smallest);
    CHECK(scene.explorer().shownHeads(Side::Left).size() == smallest);
    REQUIRE(scene.choose(QStringLiteral("Back to the matrix")));
    CHECK(scene.document().side(Side::Right).grid.form == control::GridChoice::Form::Matrix);
    REQUIRE(scene.choose(QStringLiteral("Ranks on tiles")));
    CHECK(scene.document().badges.kind == control::TileBadges::Kind::Rank);
    CHECK(scene.document().badges.analysis == service::AnalysisKind::Circuit);
    REQUIRE(scene.choose(QStringLiteral("Ranks on tiles")));
    CHECK(scene.document().badges.kind == control::TileBadges::Kind::None);
    REQUIRE(scene.choose(QStringLiteral("Ablate these heads")));
    CHECK(scene.ablated(Side::Left) == smallest);
    CHECK(scene.document().side(Side::Left).ablations.contains({0, 0}));
}

TEST_CASE("a refined circuit is the one that is chosen")
{
    CircuitScene scene;
    scene.edit([](control::Document& document) { document.analyses.circuit.isRefined = true; });
    scene.run();
    const analyses::Circuit& circuit = scene.circuit(Side::Left);
    REQUIRE_FALSE(circuit.refined.empty());
    CHECK(scene.bars().bars(Side::Left)[0].isChosen);
    CHECK_FALSE(scene.bars().bars(Side::Left)[1].isChosen);
    REQUIRE(scene.choose(QStringLiteral("Show only these heads")));
    CHECK(scene.document().side(Side::Left).grid.list.size() == circuit.refined.size());
}

TEST_CASE("a circuit is handed over to the figure that shows it")
{
    CircuitScene scene;
    scene.edit([](control::Document& document) {
        document.target = QStringLiteral("Mary");
        document.distractor = QStringLiteral("John");
        document.analyses.circuit.level = 0.8;
    });
    scene.run();
    QSignalSpy asked(&scene.panel, &panels::CircuitPanel::figureRequested);
    REQUIRE(scene.choose(QStringLiteral("Make figure")));
    REQUIRE(asked.count() == 1);
    const control::FigureSpec& figure = scene.document().figure;
    CHECK(figure.preset == control::FigurePreset::ExplainedEffect);
    CHECK(figure.target == QStringLiteral("Mary"));
    CHECK(figure.versus == QStringLiteral("John"));
    CHECK(figure.corrupted == kOtherName);
    CHECK(figure.level == Approx(0.8));
    const figures::EffectCurve curve = control::readCurve(figure.sides[0].result);
    CHECK(curve.points.size() == scene.circuit(Side::Left).curve.size());
    CHECK(curve.smallest == scene.circuit(Side::Left).smallest);
    CHECK(control::readUnits(figure.sides[0].result) == analyses::CircuitUnits::Heads);
}

TEST_CASE("exported numbers of a circuit are its units with what they explain together")
{
    CircuitScene scene;
    scene.run();
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("circuit.csv")));
    scene.panel.actions().exportData(file.fileName());
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    REQUIRE(lines.size() == 1 + 2 * 24);
    CHECK(lines[0] == "side,rank,layer,head,query,key,effect,removal,explained,in_circuit");
    const QList<QByteArray> row = lines[3].split(',');
    const analyses::Circuit& circuit = scene.circuit(Side::Left);
    CHECK(row[1].toInt() == 3);
    CHECK(row[3].toInt() == 2);
    CHECK(row[4].isEmpty());
    CHECK(row[6].toDouble() == circuit.units[2].effect);
    CHECK(row[8].toDouble() == circuit.curve[3].effect);
    CHECK(row[9].toInt() == 1);
}

TEST_CASE("stopping a circuit keeps the ranking that is there")
{
    CircuitScene scene;
    scene.stage.backend().hold(FakeBackend::Call::Analysis);
    QTest::mouseClick(&scene.button(), Qt::LeftButton);
    scene.waitForPart(Side::Left);
    QTest::mouseClick(&scene.button(), Qt::LeftButton);
    scene.waitUntilDone();
    CHECK(scene.bars().bars(Side::Left).size() == 12);
    CHECK(scene.note().contains(QStringLiteral("Partial: 12 heads ranked, no curve yet.")));
    CHECK_FALSE(scene.choose(QStringLiteral("Ablate all but these")));
    scene.stage.backend().release(FakeBackend::Call::Analysis);
}

TEST_CASE("a circuit without models, on one side, of different shapes and of 1,024 heads is no trouble")
{
    PanelStage::Setup setup;
    SECTION("no model")
    {
        setup.left = setup.right = QString();
        CircuitScene scene(setup);
        CHECK(scene.note() == QStringLiteral("Open a model first."));
        CHECK_FALSE(scene.choose(QStringLiteral("Make figure")));
    }
    SECTION("one side alone")
    {
        setup.right.clear();
        CircuitScene scene(setup);
        scene.run();
        CHECK(scene.bars().bars(Side::Right).empty());
        CHECK(scene.choose(QStringLiteral("Show only these heads")));
        CHECK(scene.document().side(Side::Right).grid == control::GridChoice());
    }
    SECTION("different shapes")
    {
        setup.left = QStringLiteral("fake:32x32");
        setup.right = QStringLiteral("fake:2x3");
        CircuitScene scene(setup);
        scene.run();
        CHECK(scene.bars().bars(Side::Left).size() == 1024);
        CHECK(scene.curves().curve(Side::Right).points.size() == 7);
        scene.pickCount(Side::Left, 1024);
        CHECK(scene.choose(QStringLiteral("Ablate all but these")));
        CHECK(scene.ablated(Side::Left) == 0);
    }
}
