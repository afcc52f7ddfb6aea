#include "panels/heads/edges_panel.h"

#include "panels/heads/edge_table.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/share_bar_table.h"
#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

struct EdgesScene {
    EdgesScene() : panel(stage.explorer()), table(child<panels::ShareBarTable>(panel, "edgeTable"))
    {
        present(panel, {300, 520});
    }

    void pin(int key, int query)
    {
        stage.explorer().edit(QStringLiteral("pin"), [=](control::Document& document) {
            document.key = key;
            document.query = query;
        });
        waitForWeights();
    }
    void waitForWeights()
    {
        QSignalSpy ready(&stage.explorer(), &control::Explorer::cellWeightsReady);
        for (const Side side : kSides)
            while (!stage.explorer().cellWeights(side))
                REQUIRE(ready.wait());
    }
    void setThreshold(double threshold)
    {
        stage.explorer().edit(QStringLiteral("threshold"),
                              [=](control::Document& document) { document.edgeThreshold = threshold; });
    }
    QString text(int row, int column) const { return table.model()->index(row, column).data().toString(); }
    QString label(const char* name) const
    {
        return child<QLabel>(panel, name).text().replace(QChar::Nbsp, QLatin1Char(' '));
    }
    int expected(Side side, double threshold)
    {
        const auto weights = stage.explorer().cellWeights(side);
        return static_cast<int>(std::count_if(weights->begin(), weights->end(), [=](float weight) {
            return weight > 0 && weight >= static_cast<float>(threshold);
        }));
    }
    HeadId headAt(int row) const { return parseHeads(text(row, 0).toStdString(), {4, 6, 6})->front(); }

    PanelStage stage;
    panels::EdgesPanel panel;
    panels::ShareBarTable& table;
};

}  // namespace

TEST_CASE("with nothing pinned the panel says how to pin")
{
    EdgesScene scene;
    CHECK_FALSE(scene.table.isVisible());
    CHECK(scene.label("edgesEmpty") ==
          QStringLiteral("Pin a key and a query: click two tokens above, or hover a cell and press P."));
    CHECK(child<QSpinBox>(scene.panel, "edgeKey").text() == QStringLiteral("–"));
}

TEST_CASE("a pinned cell lists the heads of both sides that reach the threshold, the largest first")
{
    EdgesScene scene;
    scene.pin(2, 6);
    scene.setThreshold(0.05);
    CHECK(scene.label("edgesHeading") == QStringLiteral("All heads mapping key 2 to query 6"));
    CHECK(scene.label("edgeKeyToken") == QStringLiteral("“·Mary”"));
    CHECK(scene.label("edgeQueryToken") == QStringLiteral("“·to”"));
    REQUIRE(scene.table.isVisible());
    const auto left = scene.stage.explorer().cellWeights(Side::Left);
    const auto right = scene.stage.explorer().cellWeights(Side::Right);
    const auto rows = panels::edgeRows({left, right}, {HeadShape{4, 6, 6}, HeadShape{4, 6, 6}}, 0.05);
    REQUIRE(scene.table.model()->rowCount() == static_cast<int>(rows.size()));
    REQUIRE(rows.size() > 1);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        CHECK(rows[row].largest() >= 0.05);
        CHECK((row == 0 || rows[row - 1].largest() >= rows[row].largest()));
    }
    CHECK(scene.headAt(0) == rows.front().head);
    CHECK(scene.text(0, 1) == panels::formatNumber(*rows.front().weights[0]));
    CHECK(scene.label("edgesCount")
              .contains(QStringLiteral("4x6: %1 of 24 heads").arg(scene.expected(Side::Left, 0.05))));
    CHECK(scene.label("edgesCount")
              .contains(QStringLiteral("4x6+gate: %1 of 24 heads").arg(scene.expected(Side::Right, 0.05))));
}

TEST_CASE("spin boxes pin a cell, and pins set elsewhere show in them")
{
    EdgesScene scene;
    auto& key = child<QSpinBox>(scene.panel, "edgeKey");
    auto& query = child<QSpinBox>(scene.panel, "edgeQuery");
    CHECK(key.maximum() == 14);
    key.setFocus();
    key.selectAll();
    QTest::keyClicks(&key, QStringLiteral("3"));
    QTest::keyClick(&key, Qt::Key_Return);
    CHECK(scene.stage.document().key == 3);
    query.setFocus();
    for (int step = 0; step < 5; ++step)
        QTest::keyClick(&query, Qt::Key_Up);
    CHECK(scene.stage.document().query == 4);
    scene.waitForWeights();
    CHECK(scene.label("edgesHeading").contains(QStringLiteral("key 3 to query 4")));
    scene.stage.explorer().history().undo();
    CHECK(query.text() == QStringLiteral("–"));
    scene.stage.explorer().edit(QStringLiteral("pin"), [](control::Document& document) { document.key = 7; });
    CHECK(key.value() == 7);
}

TEST_CASE("a key after its query is refused in words")
{
    EdgesScene scene;
    scene.stage.explorer().edit(QStringLiteral("pin"), [](control::Document& document) {
        document.key = 9;
        document.query = 4;
    });
    CHECK_FALSE(scene.table.isVisible());
    CHECK(scene.label("edgesEmpty").contains(QStringLiteral("choose a key at or before the query")));
}

TEST_CASE("the threshold slider shortens the list, in one step that can be undone")
{
    EdgesScene scene;
    scene.pin(0, 5);
    scene.setThreshold(0);
    const int all = scene.table.model()->rowCount();
    auto& slider = child<QSlider>(scene.panel, "edgeThreshold");
    const int steps = scene.stage.explorer().history().count();
    slider.setFocus();
    QTest::keyClick(&slider, Qt::Key_PageUp);
    QTest::keyClick(&slider, Qt::Key_PageUp);
    QTest::keyClick(&slider, Qt::Key_Right);
    CHECK(scene.stage.document().edgeThreshold == Approx(0.21));
    CHECK(scene.label("edgeThresholdValue") == QStringLiteral("0.21"));
    CHECK(scene.stage.explorer().history().count() == steps + 1);
    CHECK(scene.table.model()->rowCount() < all);
    CHECK(scene.table.model()->rowCount() >= scene.expected(Side::Left, 0.21));
    scene.stage.explorer().history().undo();
    CHECK(slider.value() == 0);
    CHECK(scene.table.model()->rowCount() == all);
}

TEST_CASE("no head above the threshold is said, with the remedy")
{
    EdgesScene scene;
    scene.pin(1, 12);
    scene.setThreshold(1);
    REQUIRE(scene.expected(Side::Left, 1) + scene.expected(Side::Right, 1) == 0);
    CHECK(scene.label("edgesEmpty").contains(QStringLiteral("lower the threshold")));
    CHECK_FALSE(scene.table.isVisible());
}

TEST_CASE("a panel nobody sees asks for nothing")
{
    EdgesScene scene;
    scene.panel.hide();
    const int asked = scene.stage.backend().count(FakeBackend::Call::Cells);
    scene.stage.explorer().edit(QStringLiteral("pin"),
                                [](control::Document& document) { document.key = document.query = 3; });
    CHECK(scene.stage.backend().count(FakeBackend::Call::Cells) == asked);
    scene.panel.show();
    scene.waitForWeights();
    CHECK(scene.table.isVisible());
}

TEST_CASE("rows selected select tiles, and the other way")
{
    EdgesScene scene;
    scene.pin(0, 5);
    scene.setThreshold(0);
    REQUIRE(scene.table.model()->rowCount() > 3);
    const auto clickRow = [&](int row, Qt::KeyboardModifiers modifiers) {
        QTest::mouseClick(scene.table.viewport(), Qt::LeftButton, modifiers,
                          scene.table.visualRect(scene.table.model()->index(row, 0)).center());
    };
    clickRow(1, {});
    CHECK(scene.stage.explorer().selection() == std::set<HeadId>{scene.headAt(1)});
    clickRow(2, Qt::ControlModifier);
    CHECK(scene.stage.explorer().selection() == std::set<HeadId>{scene.headAt(1), scene.headAt(2)});

    scene.stage.explorer().select({scene.headAt(0), HeadId{99, 99}});
    const auto rows = scene.table.selectionModel()->selectedRows();
    REQUIRE(rows.size() == 1);
    CHECK(rows.front().row() == 0);
    CHECK(scene.stage.explorer().selection().contains({99, 99}));

    QTest::mouseClick(&child<QPushButton>(scene.panel, "edgeSelectAll"), Qt::LeftButton);
    CHECK(static_cast<int>(scene.stage.explorer().selection().size()) == scene.table.model()->rowCount());
    CHECK(static_cast<int>(scene.table.selectionModel()->selectedRows().size()) ==
          scene.table.model()->rowCount());
}

TEST_CASE("a header sorts the list by that side and rows still stand for their heads")
{
    EdgesScene scene;
    scene.pin(0, 5);
    scene.setThreshold(0);
    QHeaderView& header = *scene.table.horizontalHeader();
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, {header.sectionViewportPosition(0) + 10, 8});
    const bool isAscending = header.sortIndicatorOrder() == Qt::AscendingOrder;
    const int last = scene.table.model()->rowCount() - 1;
    CHECK((scene.headAt(0) < scene.headAt(last)) == isAscending);
    scene.table.selectRow(0);
    CHECK(scene.stage.explorer().selection() == std::set<HeadId>{scene.headAt(0)});
}

TEST_CASE("while a new cell is read the old list stays, dimmed")
{
    EdgesScene scene;
    scene.pin(0, 5);
    scene.setThreshold(0);
    const int rows = scene.table.model()->rowCount();
    scene.stage.backend().hold(FakeBackend::Call::Cells);
    scene.stage.explorer().edit(QStringLiteral("pin"),
                                [](control::Document& document) { document.query = 6; });
    scene.stage.backend().waitUntilHeld(FakeBackend::Call::Cells);
    CHECK(scene.table.model()->rowCount() == rows);
    CHECK(scene.table.isDimmed());
    scene.stage.backend().release(FakeBackend::Call::Cells);
    scene.waitForWeights();
    CHECK_FALSE(scene.table.isDimmed());
}
