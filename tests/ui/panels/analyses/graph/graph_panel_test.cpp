#include "panels/analyses/graph/graph_panel.h"

#include "panels/analyses/graph/feature_card.h"
#include "panels/analyses/graph/graph_diagram.h"
#include "panels/prompt/token_strip.h"
#include "support/catch.h"
#include "ui/made_up_graph.h"
#include "ui/panels/live_stage.h"
#include "ui/panels/pointing.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QTest>
#include <QTreeWidget>
#include <QUndoStack>

#include <algorithm>

using namespace hs;
using namespace hs::test;

namespace {

using Kind = features::GraphNode::Kind;

PanelStage::Setup withFeatures()
{
    PanelStage::Setup setup;
    setup.left = QStringLiteral("fake:4x6+features");
    setup.right = QStringLiteral("fake:4x6+gate+features");
    return setup;
}

struct GraphScene : LiveStage<panels::GraphPanel, service::AnalysisKind::Graph> {
    explicit GraphScene(const PanelStage::Setup& setup = withFeatures()) : LiveStage(setup, {1400, 420}) {}

    panels::GraphDiagram& diagram(Side side)
    {
        return child<panels::GraphDiagram>(panel, side == Side::Left ? "graphDiagram0" : "graphDiagram1");
    }
    const control::GraphChoice& choice(Side side) { return stage.document().side(side).graph; }
    const control::AnalysisState& heads(Side side)
    {
        return analyses().state(service::AnalysisKind::EdgeHeads, side);
    }
    /// Waits for the heads of the edge that is picked.
    void settleHeads()
    {
        QSignalSpy changes(&analyses(), &control::AnalysisRuns::changed);
        const auto isDone = [this] {
            return std::ranges::none_of(kSides, [this](Side side) {
                return heads(side).isRunning || (!choice(side).sources.empty() && heads(side).isOutdated) ||
                       (!choice(side).sources.empty() && !heads(side).finding);
            });
        };
        while (!isDone())
            if (!changes.wait(10'000))
                throw std::runtime_error("the heads were not found");
    }
    int nodeOf(Side side, const features::NodeId& id) { return diagram(side).graph().nodesWith({id}).at(0); }
    void click(Side side, const features::NodeId& id, Qt::KeyboardModifiers modifiers = {})
    {
        panels::GraphDiagram& shown = diagram(side);
        QTest::mouseClick(&shown, Qt::LeftButton, modifiers,
                          shown.layoutOfGraph().place(nodeOf(side, id)).toPoint());
        settleHeads();
    }
};

const features::NodeId kFirst{Kind::Feature, 0, 1, madeUpFeature(0, 1)};
const features::NodeId kSecond{Kind::Feature, 1, 1, madeUpFeature(1, 1)};

}  // namespace

TEST_CASE("without transcoders the panel says what is missing and what helps")
{
    GraphScene scene{PanelStage::Setup()};
    const QString note = child<QLabel>(scene.panel, "analysisNote").text();
    CHECK(note.contains(QStringLiteral("no transcoders beside")));
    CHECK(note.contains(QStringLiteral("headscope transcode")));
    CHECK(scene.runs() == 0);
}

TEST_CASE("a graph runs by itself while its panel is seen, and the share changes it without another run")
{
    GraphScene scene;
    CHECK(scene.runs() == 2);
    auto& share = child<QSlider>(scene.panel, "graphShare");
    CHECK(share.value() == 80);
    const std::size_t nodes = scene.diagram(Side::Left).graph().view.nodes.size();
    share.setValue(30);
    share.setValue(20);
    CHECK(scene.stage.document().analyses.graphShare == Approx(0.2));
    CHECK(scene.diagram(Side::Left).graph().view.nodes.size() < nodes);
    CHECK(scene.runs() == 2);
    scene.stage.explorer().history().undo();
    CHECK(scene.diagram(Side::Left).graph().view.nodes.size() == nodes);
}

TEST_CASE("a click on a feature asks both sides for the heads that carry its strongest edge, and badges them")
{
    GraphScene scene;
    scene.click(Side::Left, kFirst);
    CHECK(scene.choice(Side::Left).picked == std::vector{kFirst});
    CHECK(scene.choice(Side::Left).sources == std::vector{kFirst});
    CHECK(scene.choice(Side::Left).targets.front().kind == Kind::Logit);
    CHECK(scene.choice(Side::Right).picked.empty());
    CHECK(scene.choice(Side::Right).sources == std::vector{kFirst});
    for (const Side side : kSides) {
        const auto& finding = scene.heads(side).finding;
        REQUIRE(finding);
        CHECK(finding->request.graph.sources == std::vector{kFirst});
        CHECK_FALSE(control::chosenHeads(*finding->result, scene.stage.document().analyses).empty());
    }
    CHECK(scene.stage.document().badges.kind == control::TileBadges::Kind::Rank);
    CHECK(scene.stage.document().badges.analysis == service::AnalysisKind::EdgeHeads);
    scene.stage.explorer().history().undo();
    CHECK(scene.choice(Side::Left) == control::GraphChoice());
    CHECK(scene.stage.document().badges == control::TileBadges());
}

TEST_CASE("a picked feature is described, and lit on the token strip")
{
    GraphScene scene;
    panels::TokenStrip strip(scene.stage.explorer());
    present(strip, {900, 60});
    CHECK(strip.stateOf(1).shade == 0);
    scene.click(Side::Left, kFirst);
    CHECK(strip.stateOf(1).shade == 1);
    CHECK(strip.stateOf(2).shade == 0);
    CHECK(child<QLabel>(scene.panel, "featureWords").text().contains(QStringLiteral("L0F100")));
    const QString description = child<QLabel>(scene.panel, "featureDescription").text();
    CHECK(description.contains(QStringLiteral("Mary, John")));
    CHECK(description.contains(QStringLiteral("When <b>Mary</b> and")));
    CHECK(description.contains(QStringLiteral("·to")));
    CHECK(child<QLineEdit>(scene.panel, "featureLabel").text() == QStringLiteral("a name"));
    CHECK(child<QLabel>(scene.panel, "featureHeads").text().contains(QStringLiteral("for 80 %")));
    CHECK(child<QTreeWidget>(scene.panel, "featureEdges").topLevelItemCount() >= 2);
    scene.panel.hide();
    CHECK(strip.stateOf(1).shade == 0);
}

TEST_CASE("a label is kept beside the transcoders, and what is undone gets back the one it had")
{
    GraphScene scene;
    scene.click(Side::Left, kSecond);
    const FeatureId feature{kSecond.layer, static_cast<int>(kSecond.index)};
    const auto label = [&](const char* text) {
        auto& field = child<QLineEdit>(scene.panel, "featureLabel");
        field.selectAll();
        QTest::keyClicks(&field, QString::fromUtf8(text));
        QTest::keyClick(&field, Qt::Key_Return);
    };
    label("large");
    REQUIRE(QTest::qWaitFor([&] { return scene.stage.backend().labels()[feature] == "large"; }));
    CHECK(scene.diagram(Side::Left).graph().names[scene.nodeOf(Side::Left, kSecond)] ==
          QStringLiteral("large"));
    label("big");
    REQUIRE(QTest::qWaitFor([&] { return scene.stage.backend().labels()[feature] == "big"; }));
    scene.stage.explorer().history().undo();
    REQUIRE(QTest::qWaitFor([&] { return scene.stage.backend().labels()[feature] == "large"; }));
    scene.stage.explorer().history().undo();
    REQUIRE(QTest::qWaitFor([&] { return !scene.stage.backend().labels().contains(feature); }));
}

TEST_CASE("several picked features become one group, which can be undone and dissolved")
{
    GraphScene scene;
    scene.click(Side::Left, kFirst);
    scene.click(Side::Left, kSecond, Qt::ControlModifier);
    CHECK(scene.choice(Side::Left).picked.size() == 2);
    const std::size_t nodes = scene.diagram(Side::Left).graph().view.nodes.size();
    scene.stage.explorer().edit(QStringLiteral("group"), [](control::Document& document) {
        panels::groupPicked(document, Side::Left, "Mary");
    });
    CHECK(scene.diagram(Side::Left).graph().view.nodes.size() == nodes - 1);
    CHECK(scene.diagram(Side::Left).graph().names.contains(QStringLiteral("Mary")));
    scene.click(Side::Left, kFirst);
    CHECK(scene.choice(Side::Left).sources.size() == 2);
    CHECK(
        child<QLabel>(scene.panel, "featureWords").text().contains(QStringLiteral("layers 0–1, 2 features")));
    control::Document document = scene.stage.document();
    panels::ungroupPicked(document, Side::Left);
    CHECK(document.side(Side::Left).graph.groups.empty());
    scene.stage.explorer().history().undo();
    scene.stage.explorer().history().undo();
    CHECK(scene.diagram(Side::Left).graph().view.nodes.size() == nodes);
}

TEST_CASE("a feature is switched off in the run, not in the graph, and can be undone")
{
    GraphScene scene;
    scene.click(Side::Left, kFirst);
    const int runs = scene.stage.backend().count(FakeBackend::Call::Run);
    const int graphs = scene.runs();
    child<QCheckBox>(scene.panel, "featureOff").click();
    scene.stage.settle();
    CHECK(scene.choice(Side::Left).scales == std::vector<FeatureScale>{{{0, 100}, std::nullopt, 0}});
    CHECK(scene.choice(Side::Right).scales.empty());
    CHECK(scene.stage.explorer().state(Side::Left).run->request.scales == scene.choice(Side::Left).scales);
    CHECK(scene.stage.backend().count(FakeBackend::Call::Run) == runs + 1);
    CHECK(scene.runs() == graphs);
    CHECK(child<QCheckBox>(scene.panel, "featureOff").isChecked());
    scene.stage.explorer().history().undo();
    CHECK_FALSE(child<QCheckBox>(scene.panel, "featureOff").isChecked());
}

TEST_CASE("a click on a head's tile names the features that it moves")
{
    GraphScene scene;
    const auto& found = scene.found<service::FeatureGraph>(Side::Left);
    const service::CarriedEdge& carried = found.carried.front();
    const auto head = std::ranges::find_if(carried.loads, [](double load) { return load != 0; });
    scene.stage.explorer().setCurrent(Side::Left,
                                      found.shape.at(static_cast<int>(head - carried.loads.begin())));
    const QString reading = child<QLabel>(scene.panel, "graphReading").text();
    CHECK(reading.contains(QStringLiteral("moves")));
    CHECK_FALSE(scene.diagram(Side::Left).markedEdges().empty());
    CHECK(scene.diagram(Side::Right).markedEdges().empty());
    scene.stage.explorer().setCurrent(Side::Left, HeadId{0, 0});
    CHECK(child<QLabel>(scene.panel, "graphReading").text().contains(QStringLiteral("carries none")));
}

TEST_CASE("nodes are reached, picked and let go by keyboard")
{
    GraphScene scene;
    panels::GraphDiagram& diagram = scene.diagram(Side::Left);
    diagram.setFocus();
    QTest::keyClick(&diagram, Qt::Key_Down);
    REQUIRE(diagram.pointedNode());
    const double before = diagram.layoutOfGraph().place(*diagram.pointedNode()).y();
    QTest::keyClick(&diagram, Qt::Key_Down);
    CHECK(diagram.layoutOfGraph().place(*diagram.pointedNode()).y() > before);
    QTest::keyClick(&diagram, Qt::Key_Return);
    CHECK_FALSE(scene.choice(Side::Left).picked.empty());
    QTest::keyClick(&diagram, Qt::Key_Escape);
    CHECK(scene.choice(Side::Left).picked.empty());
    CHECK(scene.stage.document().badges.kind == control::TileBadges::Kind::None);
}

TEST_CASE("pointing at a node shows its token in the grids and reads it")
{
    GraphScene scene;
    panels::GraphDiagram& diagram = scene.diagram(Side::Right);
    pointAt(diagram, diagram.layoutOfGraph().place(scene.nodeOf(Side::Right, kFirst)));
    CHECK(diagram.pointedNode() == scene.nodeOf(Side::Right, kFirst));
    CHECK(scene.stage.explorer().hover().side == Side::Right);
    CHECK(scene.stage.explorer().hover().query == 1);
    CHECK(child<QLabel>(scene.panel, "graphReading").text().contains(QStringLiteral("L0F100")));
}

TEST_CASE("the table of graphs has every edge of both sides")
{
    const service::FeatureGraph found = madeUpGraph({3, 2, 2}, {1, 2, 3});
    const figures::DataTable table = panels::graphTable({nullptr, &found.graph});
    REQUIRE(table.columns.size() == 10);
    CHECK(table.columns[9].values.size() == found.graph.edges.size());
    CHECK(table.columns[0].values == std::vector<double>(found.graph.edges.size(), 1.0));
}
