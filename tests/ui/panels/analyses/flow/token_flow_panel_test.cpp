#include "panels/analyses/flow/token_flow_panel.h"

#include "panels/analyses/flow/token_flow_diagram.h"
#include "support/catch.h"
#include "ui/panels/live_stage.h"
#include "ui/panels/pointing.h"

#include <QCheckBox>
#include <QLabel>
#include <QSlider>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

struct FlowScene : LiveStage<panels::TokenFlowPanel, service::AnalysisKind::Flow> {
    using LiveStage::LiveStage;

    const stats::TokenFlow& flow(Side side) { return found<stats::TokenFlow>(side); }
    panels::FlowDiagram& diagram(Side side)
    {
        return child<panels::FlowDiagram>(panel, side == Side::Left ? "flowDiagram0" : "flowDiagram1");
    }
    QString reading() { return child<QLabel>(panel, "flowReading").text(); }
};

}  // namespace

TEST_CASE("a flow runs while its panel is seen, and shows every edge above the threshold")
{
    FlowScene scene;
    CHECK(scene.runs() == 2);
    for (const Side side : kSides) {
        std::size_t edges = 0;
        for (const panels::FlowLine& line : scene.diagram(side).lines())
            edges += line.edges.size();
        CHECK(edges == scene.flow(side).edges.size());
        for (const stats::FlowEdge& edge : scene.flow(side).edges)
            CHECK(edge.weight >= 0.1f);
    }
    scene.panel.hide();
    scene.edit([](control::Document& document) { document.analyses.flowThreshold = 0.5; });
    CHECK(scene.runs() == 2);
}

TEST_CASE("the slider is the threshold, in one step that can be undone")
{
    FlowScene scene;
    auto& slider = child<QSlider>(scene.panel, "flowThreshold");
    CHECK(slider.value() == 10);
    const auto before = scene.flow(Side::Left).edges.size();
    const int steps = scene.stage.explorer().history().count();
    slider.setValue(30);
    slider.setValue(60);
    scene.settle();
    CHECK(scene.stage.document().analyses.flowThreshold == Approx(0.6));
    CHECK(child<QLabel>(scene.panel, "flowThresholdValue").text() == QStringLiteral("0.60"));
    CHECK(scene.flow(Side::Left).threshold == Approx(0.6));
    CHECK(scene.flow(Side::Left).edges.size() < before);
    CHECK(scene.stage.explorer().history().count() == steps + 1);
    scene.stage.explorer().history().undo();
    scene.settle();
    CHECK(slider.value() == 10);
    CHECK(scene.flow(Side::Left).edges.size() == before);
}

TEST_CASE("an edge names its heads and weights, and a click selects their tiles and pins the cell")
{
    FlowScene scene;
    panels::FlowDiagram& diagram = scene.diagram(Side::Right);
    REQUIRE_FALSE(diagram.lines().empty());
    const auto crossing =
        std::find_if(diagram.lines().begin(), diagram.lines().end(),
                     [](const panels::FlowLine& line) { return line.cell.key != line.cell.query; });
    REQUIRE(crossing != diagram.lines().end());
    const QPoint middle = diagram.geometry().path(*crossing).pointAtPercent(0.5).toPoint();
    pointAt(diagram, middle);
    REQUIRE(diagram.pointedLine());
    const panels::FlowLine line = *diagram.pointedLine();
    CHECK(scene.reading().contains(QString::fromStdString(toString(line.edges.front().head))));
    CHECK(scene.reading().contains(QString::number(static_cast<double>(line.weight()), 'f', 3)));
    CHECK(scene.stage.explorer().hover().key == line.cell.key);
    QTest::mouseClick(&diagram, Qt::LeftButton, {}, middle);
    CHECK(scene.stage.explorer().selection().contains(line.edges.front().head));
    CHECK(scene.stage.explorer().selection().size() == line.edges.size());
    CHECK(scene.stage.document().key == line.cell.key);
    CHECK(scene.stage.document().query == line.cell.query);
    CHECK(scene.stage.explorer().activeSide() == Side::Right);
}

TEST_CASE("a token below pins the key, one above the query, and the ways between them are counted")
{
    FlowScene scene;
    panels::FlowDiagram& diagram = scene.diagram(Side::Left);
    const auto click = [&](panels::FlowEnd end) {
        QTest::mouseClick(&diagram, Qt::LeftButton, {}, diagram.geometry().endRect(end).center().toPoint());
        pointAt(diagram, QPoint(1, 1));
    };
    click({2, false});
    CHECK(scene.stage.document().key == 2);
    click({9, true});
    CHECK(scene.stage.document().query == 9);
    const double ways = scene.flow(Side::Left).ways[9 * 15 + 2];
    INFO(scene.reading().toStdString() << " for " << ways);
    CHECK(scene.reading().contains(QStringLiteral("·Mary 2")));
    CHECK((ways >= 1e6 || scene.reading().contains(QLocale().toString(ways, 'f', 0))));
    click({2, false});
    CHECK_FALSE(scene.stage.document().key);
}

TEST_CASE("pointing at a token says what it reaches")
{
    FlowScene scene;
    panels::FlowDiagram& diagram = scene.diagram(Side::Right);
    pointAt(diagram, diagram.geometry().endRect({0, false}).center().toPoint());
    CHECK(scene.reading().contains(QStringLiteral("<bos> 0 reaches")));
    pointAt(diagram, diagram.geometry().endRect({0, true}).center().toPoint());
    CHECK(scene.reading().contains(QStringLiteral("<bos> 0 is reached by no other token")));
}

TEST_CASE("a flow table has a row an edge")
{
    FlowScene scene;
    const figures::DataTable table = panels::flowTable({&scene.flow(Side::Left), &scene.flow(Side::Right)});
    CHECK(table.columns.front().values.size() ==
          scene.flow(Side::Left).edges.size() + scene.flow(Side::Right).edges.size());
}

TEST_CASE("rollout shades the tokens below for the one above that is pinned, and is read in words")
{
    FlowScene scene;
    CHECK(scene.diagram(Side::Left).rolloutShares().empty());
    child<QCheckBox>(scene.panel, "flowRollout").click();
    scene.settle();
    CHECK(scene.stage.document().analyses.hasRollout);
    CHECK(scene.diagram(Side::Left).rolloutQuery() == 14);
    CHECK(scene.reading().contains(QStringLiteral("rollout of ·to 14 is <bos> 0 50.0 %, ·to 14 50.0 %")));
    scene.edit([](control::Document& document) { document.query = 9; });
    const std::span<const double> shares = scene.diagram(Side::Right).rolloutShares();
    REQUIRE(shares.size() == 15);
    CHECK(shares[9] == 0.5);
    CHECK(shares[8] == 0);
    pointAt(scene.diagram(Side::Right),
            scene.diagram(Side::Right).geometry().endRect({4, true}).center().toPoint());
    CHECK(scene.diagram(Side::Right).rolloutQuery() == 4);
    CHECK(scene.reading().contains(QStringLiteral("rollout of ·John 4")));
    scene.stage.explorer().history().undo();
    scene.stage.explorer().history().undo();
    scene.settle();
    CHECK(scene.diagram(Side::Left).rolloutShares().empty());
}
