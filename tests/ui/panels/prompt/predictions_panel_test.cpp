#include "panels/prompt/predictions_panel.h"

#include "panels/prompt/prediction_rows.h"
#include "panels/widgets/panel_style.h"
#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

struct PredictionsScene {
    explicit PredictionsScene(const PanelStage::Setup& setup = {}, int width = 420)
        : stage(setup), panel(stage.explorer()), table(child<QTableView>(panel, "predictionTable"))
    {
        present(panel, {width, 640});
    }

    QString text(int row, int column) const { return table.model()->index(row, column).data().toString(); }
    QString label(const char* name) const { return child<QLabel>(panel, name).text(); }
    void ablate(Side side, HeadId head)
    {
        stage.explorer().toggleAblation(side, {head});
        stage.settle();
    }

    PanelStage stage;
    panels::PredictionsPanel panel;
    QTableView& table;
};

}  // namespace

TEST_CASE("at most ten tokens are listed, the left side's most probable first")
{
    PredictionsScene scene;
    REQUIRE(scene.table.model()->rowCount() == 10);
    const auto rows = panels::predictionRows(scene.stage.explorer());
    const control::SideState& left = scene.stage.explorer().state(Side::Left);
    CHECK(rows.front().sides[0]->after.value == left.run->after.predictions.front().probability);
    CHECK_FALSE(rows.front().sides[0]->after.isBound);
    CHECK(scene.text(0, 0) == rows.front().label);
    CHECK(scene.text(0, 1) == panels::formatPercent(left.run->after.predictions.front().probability));
    for (std::size_t row = 1; row < rows.size(); ++row) {
        const panels::Probability& before = rows[row - 1].sides[0]->after;
        const panels::Probability& here = rows[row].sides[0]->after;
        CHECK((here.isBound || before.value >= here.value));
    }
}

TEST_CASE("a token beyond a side's own list has an upper bound there")
{
    PredictionsScene scene;
    const auto& right = *scene.stage.explorer().state(Side::Right).run;
    int bounds = 0;
    for (const panels::PredictionRow& row : panels::predictionRows(scene.stage.explorer()))
        if (row.sides[1]->after.isBound) {
            CHECK(row.sides[1]->after.value == right.after.predictions.back().probability);
            ++bounds;
        }
    CHECK(bounds > 0);
    CHECK(panels::describeChange({{0.981, false}, {0.001, true}}, true) == QStringLiteral("98.1 → <0.1 %"));
    CHECK(panels::describeChange({{0.00001, false}, {0.00231, true}}, true) ==
          QStringLiteral("<0.1 → <0.3 %"));
    CHECK(panels::describeChange({{0.981, false}, {0.842, false}}, false) == QStringLiteral("84.2 %"));
}

TEST_CASE("an ablation puts before and after next to each other, on its side only")
{
    PredictionsScene scene;
    CHECK_FALSE(child<QLabel>(scene.panel, "predictionLegend").isVisible());
    scene.ablate(Side::Right, {0, 1});
    CHECK(child<QLabel>(scene.panel, "predictionLegend").isVisible());
    CHECK(scene.text(0, 2).contains(QStringLiteral("→")));
    CHECK_FALSE(scene.text(0, 1).contains(QStringLiteral("→")));
    scene.stage.explorer().history().undo();
    scene.stage.settle();
    CHECK_FALSE(scene.text(0, 2).contains(QStringLiteral("→")));
}

TEST_CASE("bars wear their side's colour and are as long as the probability")
{
    PredictionsScene scene;
    const QImage image = scene.table.viewport()->grab().toImage();
    const auto count = [&](Side side, int row) {
        const QRect cell =
            scene.table.visualRect(scene.table.model()->index(row, 1 + static_cast<int>(indexOf(side))));
        const QColor colour = panels::sideColour(side, scene.table.palette());
        return countPixels(image.copy(cell), [&](const QColor& pixel) { return pixel == colour; });
    };
    CHECK(count(Side::Left, 0) > 0);
    CHECK(count(Side::Left, 0) >= count(Side::Left, 4));
    int right = 0;
    for (int row = 0; row < 10; ++row)
        right += count(Side::Right, row);
    CHECK(right > 0);
}

TEST_CASE("the heading names the token before, and a button goes back to the end")
{
    PredictionsScene scene;
    CHECK(scene.label("predictionHeading") == QStringLiteral("Next token after “·to”"));
    CHECK(scene.label("predictionPlace") == QStringLiteral("at the end, position 14"));
    auto& toEnd = child<QPushButton>(scene.panel, "toEndButton");
    CHECK_FALSE(toEnd.isVisible());
    scene.stage.explorer().edit(QStringLiteral("read"),
                                [](control::Document& document) { document.position = 8; });
    scene.stage.settle();
    CHECK(scene.label("predictionHeading") == QStringLiteral("Next token after “·store”"));
    CHECK(scene.label("predictionPlace") == QStringLiteral("at position 8 of 14"));
    REQUIRE(toEnd.isVisible());
    QTest::mouseClick(&toEnd, Qt::LeftButton);
    CHECK_FALSE(scene.stage.document().position);
    scene.stage.settle();
    CHECK(scene.label("predictionHeading") == QStringLiteral("Next token after “·to”"));
}

TEST_CASE("target and distractor are typed, run and read on both sides")
{
    PredictionsScene scene;
    auto& target = child<QLineEdit>(scene.panel, "targetEdit");
    auto& distractor = child<QLineEdit>(scene.panel, "distractorEdit");
    target.setFocus();
    QTest::keyClicks(&target, QStringLiteral("Mary"));
    QTest::keyClick(&target, Qt::Key_Return);
    CHECK(scene.stage.document().target == QStringLiteral("Mary"));
    QSignalSpy changed(&scene.stage.explorer(), &control::Explorer::documentChanged);
    QTest::keyClicks(&distractor, QStringLiteral("John"));
    REQUIRE((changed.count() > 0 || changed.wait()));
    CHECK(scene.stage.document().distractor == QStringLiteral("John"));
    scene.stage.settle();
    const control::SideRun& left = *scene.stage.explorer().state(Side::Left).run;
    CHECK(scene.label("reading00") == panels::formatNumber(left.target.after.logit, 2));
    CHECK(scene.label("reading10") == panels::formatNumber(left.distractor.after.logit, 2));
    CHECK(scene.label("reading20") ==
          panels::formatNumber(left.target.after.logit - left.distractor.after.logit, 2));
    CHECK_FALSE(scene.label("reading21").isEmpty());

    scene.ablate(Side::Left, {1, 0});
    CHECK(scene.label("reading20").contains(QStringLiteral("→")));
    CHECK_FALSE(scene.label("reading21").contains(QStringLiteral("→")));
    scene.stage.explorer().history().undo();
    scene.stage.explorer().history().undo();
    CHECK(distractor.text().isEmpty());
    scene.stage.explorer().history().undo();
    CHECK(target.text().isEmpty());
}

TEST_CASE("a target that is not one token is explained once, quietly")
{
    PanelStage::Setup setup;
    setup.target = QStringLiteral("two words");
    PredictionsScene scene(setup);
    const auto& problem = child<QLabel>(scene.panel, "watchedProblem");
    CHECK(problem.isVisible());
    CHECK(problem.text() == QStringLiteral("\"two words\" is more than one token; give one of its words."));
    scene.stage.explorer().edit(QStringLiteral("target"), [](control::Document& document) {
        document.target = QStringLiteral("Mary");
    });
    scene.stage.settle();
    CHECK_FALSE(problem.isVisible());
}

TEST_CASE("a listed token can be watched from its menu")
{
    PredictionsScene scene;
    const auto rows = panels::predictionRows(scene.stage.explorer());
    CHECK(choose(*scene.panel.newMenu(0), QStringLiteral("Watch as target")));
    CHECK(choose(*scene.panel.newMenu(1), QStringLiteral("Watch as distractor")));
    CHECK(scene.stage.document().target.toStdString() == rows[0].text);
    CHECK(scene.stage.document().distractor.toStdString() == rows[1].text);
    CHECK(child<QLineEdit>(scene.panel, "targetEdit").text().toStdString() == rows[0].text);
}

TEST_CASE("without a model the panel says what to do")
{
    PanelStage::Setup setup;
    setup.left = setup.right = QString();
    PredictionsScene scene(setup);
    CHECK_FALSE(scene.table.isVisible());
    CHECK(child<QLabel>(scene.panel, "predictionEmpty").isVisible());
}

TEST_CASE("columns share the width of a narrow panel")
{
    PredictionsScene scene({}, 280);
    int width = 0;
    for (int column = 0; column < 3; ++column)
        width += scene.table.columnWidth(column);
    CHECK(width <= scene.table.viewport()->width());
    CHECK(width > scene.table.viewport()->width() - 3);
    CHECK(scene.panel.width() == 280);
}
