#include "panels/metrics/metrics_panel.h"

#include "panels/metrics/metrics_model.h"
#include "panels/metrics/metrics_order.h"
#include "panels/metrics/metrics_table.h"
#include "panels/widgets/panel_style.h"
#include "support/catch.h"
#include "support/temp_dir.h"
#include "ui/panels/panel_stage.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

#include <cmath>

using namespace hs;
using namespace hs::test;

namespace {

struct MetricsScene {
    explicit MetricsScene(const PanelStage::Setup& setup = {})
        : stage(setup), explorer(stage.explorer()), panel(explorer),
          table(child<panels::MetricsTable>(panel, "metricsTable")),
          model(*panel.findChild<panels::MetricsModel*>()), order(*panel.findChild<panels::MetricsOrder*>())
    {
        present(panel, {900, 500});
    }

    /// The column whose one-line name is `title`.
    int column(const QString& title) const
    {
        for (int column = 0; column < model.columnCount(); ++column)
            if (model.title(column) == title)
                return column;
        throw std::runtime_error("no column " + title.toStdString());
    }
    double value(int row, int column) const
    {
        return model.value(order.mapToSource(order.index(row, 0)).row(), column);
    }
    void clickHeader(int column)
    {
        QHeaderView& header = *table.horizontalHeader();
        const QPoint at(header.sectionViewportPosition(column) + 8, header.height() / 2);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, at);
    }
    QPoint rowMiddle(int row) const { return table.visualRect(order.index(row, 0)).center(); }
    int rowOf(HeadId head) const
    {
        for (int row = 0; row < order.rowCount(); ++row)
            if (order.headAt(row) == head)
                return row;
        return -1;
    }
    void type(const QString& filter)
    {
        auto& line = child<QLineEdit>(panel, "metricsFilter");
        line.selectAll();
        QTest::keyClicks(&line, filter);
    }
    QAction& action(const char* name) { return *panel.findChild<QAction*>(QLatin1String(name)); }

    PanelStage stage;
    control::Explorer& explorer;
    panels::MetricsPanel panel;
    panels::MetricsTable& table;
    panels::MetricsModel& model;
    panels::MetricsOrder& order;
};

}  // namespace

TEST_CASE("every head has a row with every metric of both sides")
{
    MetricsScene scene;
    CHECK(scene.order.rowCount() == 24);
    for (const Side side : kSides)
        for (const stats::Metric& metric : stats::allMetrics()) {
            int found = 0;
            for (int column = 0; column < scene.model.columnCount(); ++column) {
                const panels::MetricsModel::Column& what = scene.model.column(column);
                if (what.kind != panels::MetricsModel::Column::Kind::Value || what.metric != &metric ||
                    what.side != side)
                    continue;
                ++found;
                const double expected = metric.of(scene.explorer.state(side).run->after.statsOf({2, 3}));
                const double shown = scene.model.value(scene.model.rowOf({2, 3}), column);
                CHECK((shown == expected || (std::isnan(shown) && std::isnan(expected))));
            }
            CHECK(found == 1);
        }
    const int change = scene.column(QStringLiteral("density, right − left"));
    const auto density = [&](Side side) {
        return scene.explorer.state(side).run->after.statsOf({1, 1}).density;
    };
    CHECK(scene.model.value(scene.model.rowOf({1, 1}), change) == density(Side::Right) - density(Side::Left));
}

TEST_CASE("a click on a header sorts, heads without a number come last whichever way")
{
    PanelStage::Setup setup;
    setup.right = QStringLiteral("fake:2x6+gate");
    MetricsScene scene(setup);
    REQUIRE(scene.order.rowCount() == 24);
    const int column = scene.column(QStringLiteral("density, right"));
    for (int click = 0; click < 2; ++click) {
        scene.clickHeader(column);
        const bool isAscending = scene.order.sortOrder() == Qt::AscendingOrder;
        CHECK(scene.order.sortColumn() == column);
        for (int row = 1; row < 12; ++row) {
            const double above = scene.value(row - 1, column);
            const double here = scene.value(row, column);
            CHECK((isAscending ? above <= here : above >= here));
        }
        for (int row = 12; row < 24; ++row)
            CHECK(std::isnan(scene.value(row, column)));
        CHECK(scene.order.index(23, column).data().toString() == QStringLiteral("–"));
    }
}

TEST_CASE("rows and tiles are selected together, without going round in circles")
{
    MetricsScene scene;
    QSignalSpy selections(&scene.explorer, &control::Explorer::selectionChanged);
    QTest::mouseClick(scene.table.viewport(), Qt::LeftButton, {}, scene.rowMiddle(2));
    QTest::mouseClick(scene.table.viewport(), Qt::LeftButton, Qt::ControlModifier, scene.rowMiddle(4));
    CHECK(scene.explorer.selection() == std::set<HeadId>{{0, 2}, {0, 4}});
    CHECK(selections.count() == 2);

    scene.clickHeader(scene.column(QStringLiteral("entropy, left")));
    CHECK(scene.explorer.selection() == std::set<HeadId>{{0, 2}, {0, 4}});
    scene.explorer.select({{3, 1}, {2, 2}});
    CHECK(scene.table.selectedHeads() == std::set<HeadId>{{2, 2}, {3, 1}});
    CHECK(selections.count() == 3);
    scene.explorer.select({});
    CHECK(scene.table.selectedHeads().empty());
}

TEST_CASE("a filter hides rows but deselects nothing")
{
    MetricsScene scene;
    scene.explorer.select({{0, 0}, {2, 1}});
    scene.type(QStringLiteral("L2H*"));
    CHECK(scene.stage.document().filter == QStringLiteral("L2H*"));
    CHECK(scene.order.rowCount() == 6);
    CHECK(child<QLabel>(scene.panel, "metricsCount").text() == QStringLiteral("6 of 24 heads"));
    CHECK(scene.explorer.selection() == std::set<HeadId>{{0, 0}, {2, 1}});
    CHECK(scene.table.selectedHeads() == std::set<HeadId>{{2, 1}});
    CHECK(scene.explorer.history().count() == 1);

    scene.type(QStringLiteral("densty<"));
    CHECK(child<QLabel>(scene.panel, "metricsFilterProblem").isVisible());
    CHECK(scene.order.rowCount() == 24);
    CHECK(scene.table.selectedHeads() == std::set<HeadId>{{0, 0}, {2, 1}});
    scene.explorer.history().undo();
    CHECK(child<QLineEdit>(scene.panel, "metricsFilter").text().isEmpty());
    CHECK_FALSE(child<QLabel>(scene.panel, "metricsFilterProblem").isVisible());
}

TEST_CASE("a row stays while either side's head matches")
{
    MetricsScene scene;
    scene.type(QStringLiteral("density < 0.5"));
    CHECK(scene.order.rowCount() == 24);
    scene.type(QStringLiteral("density < 0"));
    CHECK(scene.order.rowCount() == 0);
}

TEST_CASE("the grids take the order of the sorted column in one step, and go back to the matrix")
{
    MetricsScene scene;
    CHECK_FALSE(scene.action("metricsOrderGrids").isEnabled());
    CHECK_FALSE(scene.action("metricsBackToMatrix").isEnabled());
    scene.table.sortByColumn(scene.column(QStringLiteral("entropy, left")), Qt::AscendingOrder);
    CHECK(scene.action("metricsOrderGrids").text() == QStringLiteral("Order grids by entropy"));
    scene.action("metricsOrderGrids").trigger();
    for (const control::SideSetup& side : scene.stage.document().sides) {
        CHECK(side.grid.form == control::GridChoice::Form::List);
        CHECK(side.grid.order == QStringLiteral("entropy"));
        CHECK(side.grid.isAscending);
    }
    CHECK(scene.explorer.history().count() == 1);
    const std::vector<HeadId> heads = scene.explorer.shownHeads(Side::Left);
    CHECK(heads.front() == scene.order.headAt(0));
    CHECK(heads.back() == scene.order.headAt(23));
    scene.action("metricsBackToMatrix").trigger();
    CHECK(scene.stage.document().side(Side::Right).grid.form == control::GridChoice::Form::Matrix);
    CHECK(scene.explorer.history().count() == 2);
}

TEST_CASE("selected rows are copied as a table that programs can read")
{
    MetricsScene scene;
    QTest::mouseClick(&child<QToolButton>(scene.panel, "metricsChoice0"), Qt::LeftButton);
    scene.explorer.select({{0, 1}, {1, 0}});
    scene.table.setFocus();
    QTest::keySequence(&scene.table, QKeySequence::Copy);
    const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
    REQUIRE(lines.size() == 4);
    CHECK(lines[0].startsWith(QStringLiteral("head\tablated\tdensity_left\tentropy_left\tpeak_left\t")));
    CHECK_FALSE(lines[0].contains(QStringLiteral("right")));
    const QStringList first = lines[1].split(QLatin1Char('\t'));
    REQUIRE(first.size() > 2);
    CHECK(first[0] == QStringLiteral("L0H1"));
    CHECK(first[2] ==
          QString::number(scene.explorer.state(Side::Left).run->after.statsOf({0, 1}).density, 'g', 9));
    CHECK(lines[2].startsWith(QStringLiteral("L1H0\t")));
    CHECK(lines[3].isEmpty());
}

TEST_CASE("the rows shown are exported, a file that cannot be written is told")
{
    MetricsScene scene;
    const TempDir folder;
    scene.type(QStringLiteral("L1H*"));
    const QString path = QString::fromStdString((folder.path() / "metrics.csv").string());
    scene.panel.exportCsv(path);
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
    CHECK(lines.size() == 8);
    CHECK(lines[0].startsWith(QStringLiteral("head,ablated,density_left,density_right,density_change,")));
    CHECK(lines[6].startsWith(QStringLiteral("L1H5,,")));

    QStringList messages;
    QObject::connect(&scene.explorer, &control::Explorer::messageRaised, &scene.panel,
                     [&](const control::Message& message) { messages << message.text; });
    scene.panel.exportCsv(QString::fromStdString((folder.path() / "nowhere" / "metrics.csv").string()));
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].contains(QStringLiteral("metrics.csv cannot be written")));
    CHECK(messages[0].endsWith(QStringLiteral("you may write to it.")));
}

TEST_CASE("a double click or Enter opens the head")
{
    MetricsScene scene;
    std::vector<HeadId> opened;
    QObject::connect(&scene.panel, &panels::MetricsPanel::openRequested, &scene.panel,
                     [&](HeadId head) { opened.push_back(head); });
    const QPoint at = scene.rowMiddle(3);
    QTest::mouseClick(scene.table.viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(scene.table.viewport(), Qt::LeftButton, {}, at);
    QTest::keyClick(&scene.table, Qt::Key_Down);
    QTest::keyClick(&scene.table, Qt::Key_Return);
    CHECK(opened == std::vector<HeadId>{{0, 3}, {0, 4}});
    CHECK(scene.explorer.currentHead() == HeadId{0, 4});
}

TEST_CASE("ablated heads are named and struck through")
{
    MetricsScene scene;
    const int row = scene.rowOf({1, 4});
    scene.explorer.setAblated(Side::Right, {{1, 4}}, true);
    CHECK(scene.order.index(row, 1).data().toString() == QStringLiteral("right"));
    CHECK_FALSE(scene.order.index(row, 0).data(Qt::FontRole).value<QFont>().strikeOut());
    scene.explorer.setAblated(Side::Left, {{1, 4}}, true);
    CHECK(scene.order.index(row, 1).data().toString() == QStringLiteral("both"));
    CHECK(scene.order.index(row, 0).data(Qt::FontRole).value<QFont>().strikeOut());
}

TEST_CASE("columns of a side or a metric can be hidden")
{
    MetricsScene scene;
    const int left = scene.column(QStringLiteral("peak, left"));
    const int right = scene.column(QStringLiteral("peak, right"));
    const int change = scene.column(QStringLiteral("density, right − left"));
    QTest::mouseClick(&child<QToolButton>(scene.panel, "metricsChoice2"), Qt::LeftButton);
    CHECK(scene.table.isColumnHidden(left));
    CHECK_FALSE(scene.table.isColumnHidden(right));
    CHECK(scene.table.isColumnHidden(change));
    QTest::mouseClick(&child<QToolButton>(scene.panel, "metricsChoice1"), Qt::LeftButton);
    CHECK_FALSE(scene.table.isColumnHidden(left));

    QHeaderView& header = *scene.table.horizontalHeader();
    Q_EMIT header.customContextMenuRequested(QPoint(header.sectionViewportPosition(left) + 4, 4));
    auto* const menu = scene.table.findChild<QMenu*>(QStringLiteral("metricsHeaderMenu"));
    REQUIRE(menu);
    CHECK(choose(*menu, QStringLiteral("Hide peak")));
    CHECK(scene.table.isColumnHidden(left));
    CHECK(scene.table.isColumnHidden(right));
    menu->close();
}

TEST_CASE("numbers have bars in the colour of their side")
{
    MetricsScene scene;
    const QImage picture = scene.table.viewport()->grab().toImage();
    const int column = scene.column(QStringLiteral("density, left"));
    const QRect cell = scene.table.visualRect(scene.order.index(0, column));
    const QColor bar = picture.pixelColor(cell.left() + 10, cell.center().y());
    const QColor side = panels::sideColour(Side::Left, scene.table.palette());
    CHECK(bar != scene.table.palette().color(QPalette::Base));
    CHECK(std::abs(bar.hue() - side.hue()) < 12);
}

TEST_CASE("a large model's heads are all there, in order")
{
    PanelStage::Setup setup;
    setup.left = QStringLiteral("fake:64x80");
    setup.right.clear();
    setup.prompt = QStringLiteral("Mary and John");
    MetricsScene scene(setup);
    CHECK(scene.order.rowCount() == 5120);
    const int column = scene.column(QStringLiteral("peak, left"));
    scene.table.sortByColumn(column, Qt::DescendingOrder);
    for (int row = 1; row < 5120; ++row)
        REQUIRE(scene.value(row - 1, column) >= scene.value(row, column));
    std::set<HeadId> all;
    for (int index = 0; index < 5120; ++index)
        all.insert({index / 80, index % 80});
    scene.explorer.select(all);
    CHECK(scene.table.selectedRows().size() == 5120);
}
