#include "panels/analyses/scatter/head_scatter_panel.h"

#include "panels/analyses/scatter/cell_scatter.h"
#include "panels/analyses/scatter/correlation_matrix.h"
#include "panels/analyses/scatter/scatter_tables.h"
#include "support/catch.h"
#include "ui/panels/live_stage.h"
#include "ui/panels/pointing.h"

#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>

using namespace hs;
using namespace hs::test;

namespace {

struct ScatterScene : LiveStage<panels::HeadScatterPanel, service::AnalysisKind::Scatter> {
    using LiveStage::LiveStage;

    const stats::HeadScatter& scatter(Side side) { return found<stats::HeadScatter>(side); }
    panels::CorrelationMatrix& matrix(Side side)
    {
        return child<panels::CorrelationMatrix>(panel,
                                                side == Side::Left ? "scatterMatrix0" : "scatterMatrix1");
    }
    panels::CellScatter& plot() { return child<panels::CellScatter>(panel, "scatterPlot"); }
    QLineEdit& line() { return child<QLineEdit>(panel, "scatterHeads"); }
    void type(const QString& text)
    {
        line().setFocus();
        line().selectAll();
        QTest::keyClicks(&line(), text);
        QTest::keyClick(&line(), Qt::Key_Return);
        settle();
    }
};

}  // namespace

TEST_CASE("a list of heads is read for either model, each head once")
{
    const std::array<HeadShape, 2> shapes = {HeadShape{2, 2, 2}, HeadShape{4, 1, 1}};
    const auto heads = panels::headsIn(QStringLiteral("L0H1, L1H* L0H1;L3H0"), shapes);
    REQUIRE(heads);
    CHECK(*heads == std::vector<HeadId>{{0, 1}, {1, 0}, {1, 1}, {3, 0}});
    CHECK(panels::headsText(*heads) == QStringLiteral("L0H1, L1H0, L1H1, L3H0"));
    CHECK(panels::headsIn({}, shapes)->empty());
    CHECK_FALSE(panels::headsIn(QStringLiteral("L9H9"), shapes));
    CHECK_FALSE(panels::headsIn(QStringLiteral("heads"), shapes));
    CHECK_FALSE(panels::headsIn(QStringLiteral("L0H0"), {}));
}

TEST_CASE("correlations run while the panel is seen, of the first heads unless some are named")
{
    ScatterScene scene;
    CHECK(scene.runs() == 2);
    CHECK(scene.scatter(Side::Left).heads.size() == 16);
    scene.type(QStringLiteral("L1H0, L2H*"));
    CHECK(scene.stage.document().analyses.scatterHeads.size() == 7);
    CHECK(scene.scatter(Side::Right).heads == scene.stage.document().analyses.scatterHeads);
    CHECK_FALSE(child<QToolButton>(scene.panel, "scatterFollows").isChecked());
    const int runs = scene.runs();
    scene.panel.hide();
    scene.edit([](control::Document& document) { document.analyses.scatterHeads = {{0, 0}, {0, 1}}; });
    CHECK(scene.runs() == runs);
}

TEST_CASE("selected tiles are compared, until heads are typed")
{
    ScatterScene scene;
    scene.stage.explorer().select({{0, 1}, {1, 2}, {3, 0}});
    scene.settle();
    CHECK(scene.scatter(Side::Left).heads == std::vector<HeadId>{{0, 1}, {1, 2}, {3, 0}});
    CHECK(scene.line().text() == QStringLiteral("L0H1, L1H2, L3H0"));
    scene.stage.explorer().select({{2, 2}});
    scene.settle();
    CHECK(scene.scatter(Side::Left).heads.size() == 3);
    scene.type(QStringLiteral("L0H0 L0H1"));
    scene.stage.explorer().select({{2, 2}, {2, 3}});
    scene.settle();
    CHECK(scene.scatter(Side::Left).heads == std::vector<HeadId>{{0, 0}, {0, 1}});
}

TEST_CASE("a wrong list is refused in words and changes nothing")
{
    ScatterScene scene;
    scene.type(QStringLiteral("L0H0, L77H1"));
    CHECK(child<QLabel>(scene.panel, "scatterProblem").isVisible());
    CHECK(scene.stage.document().analyses.scatterHeads.empty());
    scene.type(QStringLiteral("L0H0, L0H1"));
    CHECK_FALSE(child<QLabel>(scene.panel, "scatterProblem").isVisible());
}

TEST_CASE("a click on a matrix cell plots its two heads over the causal cells with their correlation")
{
    ScatterScene scene;
    scene.type(QStringLiteral("L0H0, L1H1, L2H2"));
    panels::CorrelationMatrix& matrix = scene.matrix(Side::Left);
    const panels::MatrixPlace place{0, 2};
    const HeadId row = matrix.headAt(0), column = matrix.headAt(2);
    QTest::mouseClick(&matrix, Qt::LeftButton, {}, matrix.geometry().rectOf(place).center().toPoint());
    const stats::HeadScatter& scatter = scene.scatter(Side::Left);
    const panels::ScatterPoints points = panels::pointsOf(scatter, column, row, QStringLiteral("title"));
    REQUIRE(points.points.size() == 15 * 16 / 2);
    CHECK(scene.plot().points(Side::Left) == points.points);
    CHECK(scene.plot().points(Side::Right).size() == points.points.size());
    CHECK(points.points.back().cell == CellId{14, 14});
    CHECK(points.title == QStringLiteral("title, r = %1")
                              .arg(QString::number(matrix.correlationAt(place), 'f', 2)
                                       .replace(QLatin1Char('-'), QChar(0x2212))));
}

TEST_CASE("pointing at a dot names its cell and a click pins it")
{
    ScatterScene scene;
    scene.type(QStringLiteral("L0H0, L1H1"));
    panels::CellScatter& plot = scene.plot();
    plot.grab();
    const auto& points = plot.points(Side::Left);
    const auto strongest =
        std::max_element(points.begin(), points.end(), [](const auto& one, const auto& two) {
            return one.across + one.up < two.across + two.up;
        });
    pointAt(plot, plot.place(*strongest).toPoint());
    REQUIRE(plot.pointed());
    const panels::ScatterPoint read = plot.points(plot.pointed()->side)[plot.pointed()->index];
    const QString reading = child<QLabel>(scene.panel, "scatterReading").text();
    CHECK(reading.contains(QStringLiteral("query")));
    CHECK(reading.contains(QStringLiteral(" %1 ← ").arg(read.cell.query)));
    QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.place(*strongest).toPoint());
    CHECK(scene.stage.document().query == read.cell.query);
    CHECK(scene.stage.document().key == read.cell.key);
}

TEST_CASE("a click on a head's name selects its tile")
{
    ScatterScene scene;
    scene.type(QStringLiteral("L0H0, L1H1, L3H2"));
    panels::CorrelationMatrix& matrix = scene.matrix(Side::Right);
    QTest::mouseClick(&matrix, Qt::LeftButton, {}, matrix.geometry().rowName(1).center().toPoint());
    CHECK(scene.stage.explorer().selection() == std::set<HeadId>{matrix.headAt(1)});
    CHECK(scene.stage.explorer().activeSide() == Side::Right);
}

TEST_CASE("of very many cells the largest are plotted")
{
    panels::CellScatter plot;
    std::array<panels::ScatterPoints, 2> sides;
    for (int index = 0; index < 30'000; ++index)
        sides[0].points.push_back({{index, 0}, index / 30'000.0, 0});
    plot.setPoints(sides, QStringLiteral("a"), QStringLiteral("b"));
    CHECK(plot.points(Side::Left).size() == panels::CellScatter::kMostPoints);
    for (const panels::ScatterPoint& point : plot.points(Side::Left))
        REQUIRE(point.across >= 20'000 / 30'000.0 - 1e-9);
}
