#include "panels/prompt/corrupted_row.h"

#include "panels/prompt/prompt_edit.h"
#include "panels/prompt/prompt_panel.h"
#include "panels/widgets/panel_style.h"
#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

const QString kClean = PanelStage::Setup().prompt;
const QString kCorrupted = QString(kClean).replace(QStringLiteral("John gave"), QStringLiteral("Mary gave"));

struct CorruptedScene {
    explicit CorruptedScene(PanelStage::Setup setup = {})
        : stage(setup), panel(stage.explorer()), row(child<panels::CorruptedRow>(panel, "corruptedRow")),
          edit(child<panels::PromptEdit>(panel, "corruptedEdit")),
          count(child<QLabel>(panel, "corruptedCount"))
    {
        present(panel, {1100, 180});
    }

    void change(const std::function<void(control::Document&)>& how)
    {
        stage.explorer().edit(QStringLiteral("Test"), how);
    }
    QUndoStack& history() { return stage.explorer().history(); }

    PanelStage stage;
    panels::PromptPanel panel;
    panels::CorruptedRow& row;
    panels::PromptEdit& edit;
    QLabel& count;
};

}  // namespace

TEST_CASE("the corrupted prompt has its row while there is one, or heads are patched from it")
{
    CorruptedScene scene;
    CHECK_FALSE(scene.row.isVisible());
    scene.change([](control::Document& document) { document.corrupted = kCorrupted; });
    CHECK(scene.row.isVisible());
    CHECK(scene.edit.toPlainText() == kCorrupted);
    scene.history().undo();
    CHECK_FALSE(scene.row.isVisible());
    scene.change(
        [](control::Document& document) { document.tool.kind = engine::HeadAblation::Kind::Replace; });
    CHECK(scene.row.isVisible());
    CHECK_FALSE(scene.edit.placeholderText().isEmpty());
    scene.history().undo();
    scene.change([](control::Document& document) {
        document.side(Side::Right).ablations = {{HeadId{0, 1}, engine::HeadAblation::Kind::Replace}};
    });
    CHECK(scene.row.isVisible());
}

TEST_CASE("the row can be opened and closed by hand, and what is in it stays")
{
    CorruptedScene scene;
    auto& button = child<QPushButton>(scene.panel, "corruptedButton");
    QTest::mouseClick(&button, Qt::LeftButton);
    CHECK(scene.row.isVisible());
    QTest::mouseClick(&button, Qt::LeftButton);
    CHECK_FALSE(scene.row.isVisible());
    scene.change([](control::Document& document) { document.corrupted = kCorrupted; });
    CHECK(button.isChecked());
    QTest::mouseClick(&button, Qt::LeftButton);
    CHECK_FALSE(scene.row.isVisible());
    CHECK(scene.stage.document().corrupted == kCorrupted);
    scene.change([](control::Document& document) { document.key = 1; });
    CHECK_FALSE(scene.row.isVisible());
}

TEST_CASE("typing the corrupted prompt is one step, and does not run the prompt again")
{
    CorruptedScene scene;
    QTest::mouseClick(&child<QPushButton>(scene.panel, "corruptedButton"), Qt::LeftButton);
    const int runs = scene.stage.backend().count(FakeBackend::Call::Run);
    QSignalSpy changed(&scene.stage.explorer(), &control::Explorer::documentChanged);
    QTest::keyClicks(&scene.edit, QStringLiteral("one"));
    CHECK(scene.stage.document().corrupted.isEmpty());
    REQUIRE(changed.wait());
    CHECK(scene.stage.document().corrupted == QStringLiteral("one"));
    QTest::keyClicks(&scene.edit, QStringLiteral(" two"));
    QTest::keyClick(&scene.edit, Qt::Key_Return);
    CHECK(scene.stage.document().corrupted == QStringLiteral("one two"));
    CHECK(scene.history().count() == 1);
    CHECK(scene.stage.backend().count(FakeBackend::Call::Run) == runs);
    CHECK(scene.stage.document().prompt().text == kClean);
    scene.history().undo();
    CHECK(scene.edit.toPlainText().isEmpty());
}

TEST_CASE("a corrupted prompt waits for Return where prompts do")
{
    PanelStage::Setup setup;
    setup.preferences.runsAsYouType = false;
    CorruptedScene scene(setup);
    QTest::mouseClick(&child<QPushButton>(scene.panel, "corruptedButton"), Qt::LeftButton);
    QTest::keyClicks(&scene.edit, QStringLiteral("one"));
    QTest::qWait(400);  // longer than the pause after which typed text is committed
    CHECK(scene.stage.document().corrupted.isEmpty());
    QTest::keyClick(&scene.edit, Qt::Key_Return);
    CHECK(scene.stage.document().corrupted == QStringLiteral("one"));
}

TEST_CASE("a corrupted prompt of another length is marked with both lengths")
{
    CorruptedScene scene;
    const QColor mark = panels::markColour(scene.panel.palette());
    const auto ink = [&] { return scene.count.palette().color(QPalette::WindowText); };
    scene.change([](control::Document& document) { document.corrupted = kCorrupted; });
    CHECK(scene.count.text() == QStringLiteral("14 tokens"));
    CHECK(ink() != mark);
    scene.change(
        [](control::Document& document) { document.corrupted = kCorrupted + QStringLiteral(" the"); });
    CHECK(scene.count.text() == QStringLiteral("15 tokens, the prompt has 14"));
    CHECK(ink() == mark);
    scene.change([](control::Document& document) { document.corrupted.clear(); });
    CHECK(scene.count.text().isEmpty());
}
