#include "panels/analyses/flow/token_flow_diagram.h"

#include "panels/widgets/panel_style.h"
#include "support/catch.h"
#include "ui/late_picture.h"
#include "ui/made_up_run.h"
#include "ui/panels/panel_stage.h"
#include "ui/panels/pointing.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <random>

using namespace hs;
using namespace hs::test;

namespace {

stats::TokenFlow madeUpFlow(int layers, int heads, int tokens, double kept, double threshold)
{
    stats::TokenFlowBuilder builder(layers, tokens, threshold);
    for (int layer = 0; layer < layers; ++layer)
        for (int head = 0; head < heads; ++head)
            builder.add({layer, head}, madeUpMap({layer, head}, tokens, kept).data());
    return builder.finish();
}

stats::TokenFlow flowOf(int layers, int tokens, std::vector<stats::FlowEdge> edges)
{
    stats::TokenFlow flow;
    flow.layers = layers;
    flow.tokens = tokens;
    flow.edges = std::move(edges);
    flow.ways.assign(static_cast<std::size_t>(tokens * tokens), 0);
    return flow;
}

QStringList names(int tokens)
{
    QStringList names;
    for (int token = 0; token < tokens; ++token)
        names << QStringLiteral("t%1").arg(token);
    return names;
}

}  // namespace

TEST_CASE("heads of a layer that share a cell share a line, the strongest first")
{
    const stats::TokenFlow flow = flowOf(
        2, 3, {{{0, 1}, 2, 0, 0.9f}, {{1, 0}, 2, 0, 0.8f}, {{0, 3}, 2, 0, 0.5f}, {{0, 1}, 1, 1, 0.4f}});
    const std::vector<panels::FlowLine> lines = panels::strongestLines(flow, 100);
    REQUIRE(lines.size() == 3);
    CHECK(panels::countLines(flow) == 3);
    CHECK(lines[0].edges == std::vector<stats::FlowEdge>{flow.edges[0], flow.edges[2]});
    CHECK(lines[1].layer == 1);
    CHECK(lines[2].cell == CellId{1, 1});
    const std::vector<panels::FlowLine> fewer = panels::strongestLines(flow, 1);
    REQUIRE(fewer.size() == 1);
    CHECK(fewer[0].edges.size() == 2);
}

TEST_CASE("what a token reaches is what there are ways to")
{
    const stats::TokenFlow flow = madeUpFlow(3, 4, 9, 0.15, 0.2);
    for (int key = 0; key < flow.tokens; ++key) {
        const std::vector<int> reached = panels::FlowReach(flow, {key, false}).farTokens();
        for (int query = 0; query < flow.tokens; ++query) {
            const bool isReached = std::find(reached.begin(), reached.end(), query) != reached.end();
            CHECK(isReached == (flow.ways[static_cast<std::size_t>(query * flow.tokens + key)] > 0));
            const std::vector<int> sources = panels::FlowReach(flow, {query, true}).farTokens();
            CHECK(isReached == (std::find(sources.begin(), sources.end(), key) != sources.end()));
        }
    }
}

TEST_CASE("lines that stand out between two ends are the edges between them")
{
    const stats::TokenFlow flow = madeUpFlow(3, 4, 8, 0.2, 0.1);
    for (int key = 0; key < flow.tokens; ++key)
        for (int query = key; query < flow.tokens; ++query) {
            const panels::FlowReach from(flow, {key, false}), to(flow, {query, true});
            std::size_t count = 0;
            for (const panels::FlowLine& line : panels::strongestLines(flow, 10'000))
                count += from.holds(line) && to.holds(line) ? line.edges.size() : 0;
            CHECK(count == stats::edgesBetween(flow, key, query).size());
        }
}

TEST_CASE("whatever is drawn of a flow is hit, and nothing else is")
{
    std::mt19937 random(7);
    const auto number = [&random](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    for (int round = 0; round < 20; ++round) {
        const int layers = number(1, 12), tokens = number(1, 40);
        const stats::TokenFlow flow = madeUpFlow(layers, 2, tokens, 0.2, 0.05);
        const std::vector<panels::FlowLine> lines = panels::strongestLines(flow, 400);
        const panels::FlowGeometry geometry(QRectF(20, 15, number(60, 900), number(40, 500)), 20, 12, layers,
                                            tokens);
        for (const panels::FlowLine& line : lines) {
            const QPainterPath path = geometry.path(line);
            for (const double share : {0.0, 0.3, 0.5, 0.8, 1.0}) {
                const QPointF point = path.pointAtPercent(share);
                CHECK(geometry.distance(line, point) < 0.5);
                const auto hit = geometry.lineAt(lines, point);
                REQUIRE(hit);
                CHECK(geometry.distance(lines[*hit], point) <= geometry.distance(line, point));
            }
        }
        for (int probe = 0; probe < 200; ++probe) {
            const QPointF point(number(0, 950), number(0, 540));
            double nearest = 1e9;
            for (const panels::FlowLine& line : lines)
                nearest = std::min(nearest, geometry.distance(line, point));
            CHECK(geometry.lineAt(lines, point).has_value() == (nearest < panels::FlowGeometry::kReach));
        }
        for (int token = 0; token < tokens; ++token)
            for (const bool isTop : {false, true})
                CHECK(geometry.endAt(geometry.endRect({token, isTop}).center()) ==
                      panels::FlowEnd{token, isTop});
    }
}

TEST_CASE("every coloured pixel of a line is that line to the pointer")
{
    panels::FlowDiagram diagram(Side::Right);
    diagram.setFlow(std::make_shared<stats::TokenFlow>(flowOf(3, 6, {{{1, 2}, 5, 1, 1.0f}})), names(6));
    present(diagram, {400, 200});
    const QImage picture = pictureOf(diagram);
    const QColor ink = panels::sideColour(Side::Right, diagram.palette());
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) {
            const QColor colour = picture.pixelColor(x, y);
            const int apart = std::abs(colour.red() - ink.red()) + std::abs(colour.green() - ink.green()) +
                              std::abs(colour.blue() - ink.blue());
            if (apart > 60)
                continue;
            ++count;
            CHECK(diagram.geometry().lineAt(diagram.lines(), QPointF(x + 0.5, y + 0.5)) == 0u);
        }
    CHECK(count > 150);
}

TEST_CASE("pointing at a token below dims what it cannot reach, and a click picks lines and ends")
{
    panels::FlowDiagram diagram(Side::Left);
    const auto flow = std::make_shared<stats::TokenFlow>(
        flowOf(2, 5, {{{0, 0}, 3, 1, 0.9f}, {{1, 0}, 4, 3, 0.8f}, {{0, 1}, 2, 0, 0.7f}}));
    diagram.setFlow(flow, names(5));
    present(diagram, {400, 220});
    QSignalSpy lines(&diagram, &panels::FlowDiagram::linePicked);
    QSignalSpy ends(&diagram, &panels::FlowDiagram::endPicked);
    /// How far the middle of a line is from the side's full colour.
    const auto faintness = [&](std::size_t line) {
        const QColor ink = panels::sideColour(Side::Left, diagram.palette());
        const QPoint middle = diagram.geometry().path(diagram.lines()[line]).pointAtPercent(0.5).toPoint();
        const QImage around = pictureOf(diagram).copy(QRect(middle - QPoint(2, 2), QSize(5, 5)));
        int least = 1000;
        for (int y = 0; y < around.height(); ++y)
            for (int x = 0; x < around.width(); ++x) {
                const QColor colour = around.pixelColor(x, y);
                least = std::min(least,
                                 std::abs(colour.red() - ink.red()) + std::abs(colour.blue() - ink.blue()));
            }
        return least;
    };
    const int onTheWay = faintness(0);
    const int elsewhere = faintness(2);
    const QPoint below = diagram.geometry().endRect({1, false}).center().toPoint();
    pointAt(diagram, below);
    REQUIRE(diagram.pointedEnd() == panels::FlowEnd{1, false});
    CHECK(diagram.reach().farTokens() == std::vector<int>{1, 3, 4});
    CHECK(faintness(0) < onTheWay + 30);
    CHECK(faintness(2) > elsewhere + 50);
    QTest::mouseClick(&diagram, Qt::LeftButton, {}, below);
    REQUIRE(ends.size() == 1);
    CHECK(lines.empty());

    const QPointF middle = diagram.geometry().path(diagram.lines()[1]).pointAtPercent(0.5);
    QTest::mouseClick(&diagram, Qt::LeftButton, {}, middle.toPoint());
    REQUIRE(lines.size() == 1);
    REQUIRE(diagram.pointedLine());
    CHECK(diagram.pointedLine()->edges.front() == flow->edges[1]);
}

TEST_CASE("of thousands of lines the strongest are drawn")
{
    panels::FlowDiagram diagram(Side::Left);
    const auto flow = std::make_shared<stats::TokenFlow>(madeUpFlow(8, 8, 64, 1, 0.0001));
    diagram.setFlow(flow, names(64));
    present(diagram, {600, 220});
    REQUIRE(diagram.lineCount() > panels::FlowDiagram::kMostLines);
    REQUIRE(diagram.lines().size() == panels::FlowDiagram::kMostLines);
    CHECK(diagram.lines().front().weight() == flow->edges.front().weight);
    for (std::size_t index = 1; index < diagram.lines().size(); ++index)
        CHECK(diagram.lines()[index - 1].weight() >= diagram.lines()[index].weight());
}

TEST_CASE("a flow of nothing, or of one token, is drawn without harm")
{
    panels::FlowDiagram diagram(Side::Left);
    present(diagram, {200, 100});
    diagram.grab();
    diagram.setFlow(std::make_shared<stats::TokenFlow>(flowOf(2, 1, {{{0, 0}, 0, 0, 1.0f}})), names(1));
    diagram.setMarks(0, 0);
    diagram.grab();
    diagram.setMarks(7, 9);
    diagram.resize(3, 3);
    diagram.grab();
    CHECK(diagram.lines().size() == 1);
    diagram.setFlow(nullptr, {});
    diagram.grab();
    CHECK(diagram.lines().empty());
}
