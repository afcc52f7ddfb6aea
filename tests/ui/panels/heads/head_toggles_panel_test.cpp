#include "panels/heads/head_toggles_panel.h"

#include "panels/heads/head_preset_menu.h"
#include "panels/heads/head_toggle_matrix.h"
#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

struct TogglesScene {
    explicit TogglesScene(const PanelStage::Setup& setup = {})
        : stage(setup), panel(stage.explorer()), matrix(child<panels::HeadToggleMatrix>(panel, "headToggles"))
    {
        present(panel, {300, 520});
    }

    QPoint middle(HeadId head) const
    {
        return matrix.visualRect(matrix.model()->index(head.layer, head.head)).center();
    }
    void click(HeadId head, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(matrix.viewport(), Qt::LeftButton, modifiers, middle(head));
    }
    QImage picture(HeadId head) const
    {
        return matrix.viewport()
            ->grab(matrix.visualRect(matrix.model()->index(head.layer, head.head)))
            .toImage();
    }
    bool isTicked(HeadId head) const
    {
        return matrix.model()->index(head.layer, head.head).data(Qt::CheckStateRole).toInt() == Qt::Checked;
    }
    const auto& ablations(Side side = Side::Left) const { return stage.document().side(side).ablations; }
    bool preset(const QString& text)
    {
        auto& menu = child<panels::HeadPresetMenu>(panel, "presetMenu");
        Q_EMIT menu.aboutToShow();
        return choose(menu, text);
    }

    PanelStage stage;
    panels::HeadTogglesPanel panel;
    panels::HeadToggleMatrix& matrix;
};

PanelStage::Setup withModel(const char* left)
{
    PanelStage::Setup setup;
    setup.left = QLatin1String(left);
    return setup;
}

}  // namespace

TEST_CASE("a click on a head's box ablates it, a second one restores it")
{
    TogglesScene scene;
    REQUIRE(scene.matrix.model()->rowCount() == 4);
    REQUIRE(scene.matrix.model()->columnCount() == 6);
    const QImage on = scene.picture({2, 3});
    scene.click({2, 3});
    CHECK(scene.ablations() == std::map<HeadId, HeadChange>{{{2, 3}, engine::HeadAblation::Kind::Zero}});
    CHECK_FALSE(scene.isTicked({2, 3}));
    CHECK(scene.picture({2, 3}) != on);
    CHECK(child<QLabel>(scene.panel, "ablatedCount").text() == QStringLiteral("1 of 24 heads ablated: L2H3"));
    scene.click({2, 3});
    CHECK(scene.ablations().empty());
    CHECK(scene.isTicked({2, 3}));
    scene.stage.explorer().history().undo();
    CHECK_FALSE(scene.isTicked({2, 3}));
}

TEST_CASE("headers toggle whole layers and columns")
{
    TogglesScene scene;
    QHeaderView& layers = *scene.matrix.verticalHeader();
    QTest::mouseClick(layers.viewport(), Qt::LeftButton, {}, {5, layers.sectionViewportPosition(1) + 5});
    CHECK(scene.ablations().size() == 6);
    CHECK(scene.ablations().contains({1, 5}));
    QHeaderView& columns = *scene.matrix.horizontalHeader();
    QTest::mouseClick(columns.viewport(), Qt::LeftButton, {}, {columns.sectionViewportPosition(0) + 5, 5});
    CHECK(scene.ablations().size() == 9);
    QTest::mouseClick(layers.viewport(), Qt::LeftButton, {}, {5, layers.sectionViewportPosition(1) + 5});
    CHECK(scene.ablations().size() == 3);
}

TEST_CASE("keys move between heads and toggle one, a layer or a column")
{
    TogglesScene scene;
    scene.matrix.setFocus();
    scene.stage.explorer().setCurrent(Side::Left, HeadId{0, 0});
    QTest::keyClick(&scene.matrix, Qt::Key_Down);
    QTest::keyClick(&scene.matrix, Qt::Key_Right);
    CHECK(scene.stage.explorer().currentHead() == HeadId{1, 1});
    QTest::keyClick(&scene.matrix, Qt::Key_Space);
    CHECK(scene.ablations().contains({1, 1}));
    CHECK(scene.ablations().size() == 1);
    QTest::keyClick(&scene.matrix, Qt::Key_Space);
    CHECK(scene.ablations().empty());
    QTest::keyClick(&scene.matrix, Qt::Key_Space, Qt::ShiftModifier);
    CHECK(scene.ablations().size() == 6);
    scene.stage.explorer().history().undo();
    QTest::keyClick(&scene.matrix, Qt::Key_Space, Qt::ControlModifier);
    CHECK(scene.ablations().size() == 4);
}

TEST_CASE("Ctrl-click selects, and heads selected elsewhere are framed")
{
    TogglesScene scene;
    const QImage plain = scene.picture({3, 4});
    scene.click({3, 4}, Qt::ControlModifier);
    CHECK(scene.stage.explorer().selection() == std::set<HeadId>{{3, 4}});
    CHECK(scene.ablations().empty());
    CHECK(scene.picture({3, 4}) != plain);
    const QImage other = scene.picture({0, 2});
    scene.stage.explorer().select({{0, 2}});
    CHECK(scene.picture({0, 2}) != other);
}

TEST_CASE("the switch shows the other side's heads and what is ablated there")
{
    PanelStage::Setup setup;
    setup.right = QStringLiteral("fake:2x3+gate");
    TogglesScene scene(setup);
    CHECK(child<QPushButton>(scene.panel, "leftSide").isChecked());
    QTest::mouseClick(&child<QPushButton>(scene.panel, "rightSide"), Qt::LeftButton);
    CHECK(scene.stage.explorer().activeSide() == Side::Right);
    REQUIRE(scene.matrix.model()->rowCount() == 2);
    scene.click({1, 2});
    CHECK(scene.ablations(Side::Right).size() == 1);
    CHECK(scene.ablations(Side::Left).empty());
    scene.stage.explorer().setCurrent(Side::Left, HeadId{3, 3});
    CHECK(child<QPushButton>(scene.panel, "leftSide").isChecked());
    CHECK(scene.matrix.model()->rowCount() == 4);
}

TEST_CASE("presets switch all on, none, only the selected, and invert")
{
    TogglesScene scene;
    CHECK(scene.preset(QStringLiteral("No head runs")));
    CHECK(scene.ablations().size() == 24);
    CHECK(scene.preset(QStringLiteral("All heads run")));
    CHECK(scene.ablations().empty());
    CHECK_FALSE(scene.preset(QStringLiteral("Only selected heads run")));
    scene.stage.explorer().select({{0, 0}, {1, 5}});
    CHECK(scene.preset(QStringLiteral("Only selected heads run")));
    CHECK(scene.ablations().size() == 22);
    CHECK_FALSE(scene.ablations().contains({1, 5}));
    CHECK(scene.preset(QStringLiteral("Invert")));
    CHECK(scene.ablations().size() == 2);
    CHECK(scene.ablations().contains({1, 5}));
    CHECK_FALSE(scene.preset(QStringLiteral("Select this circuit")));
}

TEST_CASE("known circuits are offered to models of their shape")
{
    TogglesScene scene(withModel("fake:12x12"));
    CHECK(scene.preset(QStringLiteral("Select this circuit")));
    CHECK(scene.stage.explorer().selection().size() == 26);
    CHECK(scene.ablations().empty());
    CHECK(scene.preset(QStringLiteral("Name movers")));
    CHECK(scene.stage.explorer().selection() == std::set<HeadId>{{9, 9}, {10, 0}, {9, 6}});
    CHECK(scene.preset(QStringLiteral("Ablate all but this circuit")));
    CHECK(scene.ablations().size() == 144 - 26);
    CHECK_FALSE(scene.ablations().contains({9, 9}));
}

TEST_CASE("the kind of ablation is the document's and applies to the next click")
{
    TogglesScene scene;
    auto& kind = child<QComboBox>(scene.panel, "ablationKind");
    kind.setFocus();
    QTest::keyClick(&kind, Qt::Key_Down);
    CHECK(scene.stage.document().tool.kind == engine::HeadAblation::Kind::Mean);
    scene.click({0, 1});
    CHECK(scene.ablations().at({0, 1}) == engine::HeadAblation::Kind::Mean);
    const QModelIndex index = scene.matrix.model()->index(0, 1);
    CHECK(index.data(Qt::ToolTipRole).toString() == QStringLiteral("L0H1 is ablated to its mean"));
    QTest::keyClick(&kind, Qt::Key_Down);
    CHECK(scene.stage.document().tool.kind == engine::HeadAblation::Kind::Replace);
    scene.click({0, 2});
    CHECK(scene.ablations().at({0, 2}) == engine::HeadAblation::Kind::Replace);
    CHECK(scene.matrix.model()->index(0, 2).data(Qt::ToolTipRole).toString() ==
          QStringLiteral("L0H2 is patched from the corrupted prompt"));
    CHECK(index.data(panels::HeadToggleModel::Sign).toString() !=
          scene.matrix.model()->index(0, 2).data(panels::HeadToggleModel::Sign).toString());
    CHECK(child<QLabel>(scene.panel, "ablatedCount")
              .text()
              .endsWith(QStringLiteral("L0H1 (mean), L0H2 (patched)")));
    for (int step = 0; step < 4; ++step)
        scene.stage.explorer().history().undo();
    CHECK(kind.currentIndex() == 0);
}

TEST_CASE("groups are offered where heads share keys and values")
{
    TogglesScene scene;
    CHECK_FALSE(child<QCheckBox>(scene.panel, "ablationGroup").isEnabled());
    TogglesScene grouped(withModel("fake:4x6/2"));
    auto& group = child<QCheckBox>(grouped.panel, "ablationGroup");
    REQUIRE(group.isEnabled());
    group.click();
    CHECK(grouped.stage.document().tool.isWholeGroup);
    grouped.click({1, 4});
    CHECK(grouped.ablations().size() == 3);
    CHECK(grouped.ablations().contains({1, 3}));
    CHECK(grouped.ablations().contains({1, 5}));
}

TEST_CASE("the filter line dims heads, counts matches and explains mistakes")
{
    TogglesScene scene;
    auto& filter = child<QLineEdit>(scene.panel, "headFilter");
    const auto& note = child<QLabel>(scene.panel, "filterNote");
    CHECK_FALSE(note.isVisible());
    const QImage plain = scene.picture({1, 1});
    scene.panel.focusFilter();
    QSignalSpy changed(&scene.stage.explorer(), &control::Explorer::documentChanged);
    QTest::keyClicks(&filter, QStringLiteral("L2H*"));
    REQUIRE((changed.count() > 0 || changed.wait()));
    CHECK(scene.stage.document().filter == QStringLiteral("L2H*"));
    CHECK(note.text() == QStringLiteral("6 of 24 heads match."));
    CHECK(scene.picture({1, 1}) != plain);
    filter.selectAll();
    QTest::keyClicks(&filter, QStringLiteral("density<"));
    QTest::keyClick(&filter, Qt::Key_Return);
    CHECK(note.isVisible());
    CHECK(note.text() == scene.stage.explorer().filterProblem());
    CHECK_FALSE(note.text().isEmpty());
    scene.stage.explorer().history().undo();
    CHECK(filter.text().isEmpty());
    CHECK_FALSE(note.isVisible());
}

TEST_CASE("without a model there is nothing to toggle, and the panel says so")
{
    PanelStage::Setup setup;
    setup.left = setup.right = QString();
    TogglesScene scene(setup);
    CHECK_FALSE(scene.matrix.isVisible());
    CHECK(child<QLabel>(scene.panel, "togglesEmpty").isVisible());
    CHECK_FALSE(scene.preset(QStringLiteral("Open a model first")));
}
