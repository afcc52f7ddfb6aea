#include "panels/prompt/prompt_panel.h"

#include "panels/prompt/prompt_edit.h"
#include "panels/prompt/token_strip.h"
#include "support/catch.h"
#include "support/temp_dir.h"
#include "ui/panels/panel_stage.h"

#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

const QString kFirstPrompt = PanelStage::Setup().prompt;

/// A stage with a panel whose line has the focus and whose text is selected.
struct PromptScene {
    explicit PromptScene(bool runsAsYouType = true, PanelStage::Setup setup = {})
        : stage((setup.preferences.runsAsYouType = runsAsYouType, setup)), panel(stage.explorer()),
          edit(child<panels::PromptEdit>(panel, "promptEdit"))
    {
        present(panel, {1000, 140});
        panel.focusPrompt();
    }

    const QString& prompt() const { return stage.document().prompt().text; }
    QUndoStack& history() { return stage.explorer().history(); }

    PanelStage stage;
    panels::PromptPanel panel;
    panels::PromptEdit& edit;
};

}  // namespace

TEST_CASE("typing runs after a pause, in one step that can be undone")
{
    PromptScene scene;
    CHECK(scene.edit.toPlainText() == kFirstPrompt);
    QSignalSpy changed(&scene.stage.explorer(), &control::Explorer::documentChanged);
    QTest::keyClicks(&scene.edit, QStringLiteral("The war"));
    CHECK(scene.prompt() == kFirstPrompt);
    REQUIRE(changed.wait());
    CHECK(scene.prompt() == QStringLiteral("The war"));
    QTest::keyClicks(&scene.edit, QStringLiteral(" lasted"));
    REQUIRE(changed.wait());
    CHECK(scene.prompt() == QStringLiteral("The war lasted"));
    CHECK(scene.history().count() == 1);
    scene.stage.settle();
    CHECK(child<panels::TokenStrip>(scene.panel, "tokenStrip").count() == 4);

    scene.history().undo();
    CHECK(scene.edit.toPlainText() == kFirstPrompt);
    scene.stage.settle();
    CHECK(child<panels::TokenStrip>(scene.panel, "tokenStrip").count() == 15);
    scene.history().redo();
    CHECK(scene.edit.toPlainText() == QStringLiteral("The war lasted"));
}

TEST_CASE("Return runs at once, and typing alone does not where the user wants it so")
{
    PromptScene scene(false);
    QTest::keyClicks(&scene.edit, QStringLiteral("a b"));
    CHECK(scene.prompt() == kFirstPrompt);
    QTest::keyClick(&scene.edit, Qt::Key_Return);
    CHECK(scene.prompt() == QStringLiteral("a b"));
    QTest::keyClicks(&scene.edit, QStringLiteral(" c"));
    QTest::mouseClick(&child<QPushButton>(scene.panel, "runButton"), Qt::LeftButton);
    CHECK(scene.prompt() == QStringLiteral("a b c"));
    CHECK(scene.history().count() == 2);
}

TEST_CASE("running the same prompt once more runs it again")
{
    PromptScene scene;
    const int runs = scene.stage.backend().count(FakeBackend::Call::Run);
    QSignalSpy states(&scene.stage.explorer(), &control::Explorer::stateChanged);
    QTest::keyClick(&scene.edit, Qt::Key_Return);
    scene.stage.settle();
    CHECK((states.count() > 0 || states.wait()));
    scene.stage.settle();
    CHECK(scene.stage.backend().count(FakeBackend::Call::Run) > runs);
    CHECK(scene.history().count() == 0);
}

TEST_CASE("what is being typed stays when something else in the document changes")
{
    PromptScene scene(false);
    QTest::keyClicks(&scene.edit, QStringLiteral("half a sent"));
    scene.stage.explorer().edit(QStringLiteral("pin"), [](control::Document& document) { document.key = 1; });
    CHECK(scene.edit.toPlainText() == QStringLiteral("half a sent"));
    scene.stage.explorer().edit(QStringLiteral("other"), [](control::Document& document) {
        control::setPrompt(document, QStringLiteral("from elsewhere"));
    });
    CHECK(scene.edit.toPlainText() == QStringLiteral("from elsewhere"));
}

TEST_CASE("the bos switch puts a first token in and takes it out")
{
    PromptScene scene;
    auto& strip = child<panels::TokenStrip>(scene.panel, "tokenStrip");
    auto& bos = child<QPushButton>(scene.panel, "bosButton");
    CHECK(bos.isChecked());
    CHECK(bos.text() == QStringLiteral("⟨bos⟩ ✓"));
    QTest::mouseClick(&bos, Qt::LeftButton);
    CHECK_FALSE(scene.stage.document().prompt().hasBos);
    CHECK(bos.text() == QStringLiteral("⟨bos⟩"));
    scene.stage.settle();
    CHECK(strip.count() == 14);
    scene.history().undo();
    CHECK(bos.isChecked());
    scene.stage.settle();
    CHECK(strip.count() == 15);
}

TEST_CASE("an example sets prompt, target, distractor and corrupted prompt in one step")
{
    PanelStage::Setup setup;
    setup.left = QStringLiteral("demo:dense");
    PromptScene scene(true, setup);
    scene.stage.explorer().edit(QStringLiteral("pin"), [](control::Document& document) { document.key = 9; });
    QMenu& menu = *child<QPushButton>(scene.panel, "examplesButton").menu();
    Q_EMIT menu.aboutToShow();
    REQUIRE(choose(menu, QStringLiteral("The opposite of \" hot \"")));
    CHECK(scene.prompt() == QStringLiteral("The opposite of \" hot \" is \""));
    CHECK(scene.edit.toPlainText() == scene.prompt());
    CHECK(scene.stage.document().target == QStringLiteral("cold"));
    CHECK(scene.stage.document().distractor == QStringLiteral("hot"));
    CHECK(scene.stage.document().corrupted == QStringLiteral("The opposite of \" cold \" is \""));
    CHECK_FALSE(scene.stage.document().key);
    scene.history().undo();
    CHECK(scene.prompt() == kFirstPrompt);
    CHECK(scene.stage.document().target.isEmpty());
    CHECK(scene.stage.document().corrupted.isEmpty());
    CHECK(scene.stage.document().key == 9);
}

TEST_CASE("examples for other models than the demo are plain English")
{
    PromptScene scene;
    QMenu& menu = *child<QPushButton>(scene.panel, "examplesButton").menu();
    Q_EMIT menu.aboutToShow();
    CHECK_FALSE(choose(menu, QStringLiteral("The opposite of \" hot \"")));
    CHECK(choose(menu, QStringLiteral("The Eiffel Tower")));
    CHECK(scene.stage.document().target == QStringLiteral(" Paris"));
}

TEST_CASE("Up and Down walk the prompts that were run, and what was typed comes back")
{
    PromptScene scene(false);
    for (const char* const text : {"one", "two"}) {
        scene.edit.selectAll();
        QTest::keyClicks(&scene.edit, QLatin1String(text));
        QTest::keyClick(&scene.edit, Qt::Key_Return);
    }
    scene.edit.selectAll();
    QTest::keyClicks(&scene.edit, QStringLiteral("draft"));
    QTest::keyClick(&scene.edit, Qt::Key_Up);
    CHECK(scene.edit.toPlainText() == QStringLiteral("two"));
    QTest::keyClick(&scene.edit, Qt::Key_Up);
    CHECK(scene.edit.toPlainText() == QStringLiteral("one"));
    QTest::keyClick(&scene.edit, Qt::Key_Up);
    CHECK(scene.edit.toPlainText() == QStringLiteral("one"));
    QTest::keyClick(&scene.edit, Qt::Key_Down);
    QTest::keyClick(&scene.edit, Qt::Key_Down);
    CHECK(scene.edit.toPlainText() == QStringLiteral("draft"));
    CHECK(scene.prompt() == QStringLiteral("two"));
}

TEST_CASE("prompts that were run are offered again in another window")
{
    const TempDir folder;
    const QString file = QString::fromStdString((folder.path() / "settings.ini").string());
    {
        PromptScene scene(false);
        QSettings settings(file, QSettings::IniFormat);
        scene.panel.keepHistoryIn(settings);
        QTest::keyClicks(&scene.edit, QStringLiteral("remember & this"));
        QTest::keyClick(&scene.edit, Qt::Key_Return);
    }
    PromptScene scene(false);
    QSettings settings(file, QSettings::IniFormat);
    scene.panel.keepHistoryIn(settings);
    QMenu& menu = *child<QPushButton>(scene.panel, "historyButton").menu();
    Q_EMIT menu.aboutToShow();
    REQUIRE(menu.actions().size() == 1);
    CHECK(menu.actions().first()->text() == QStringLiteral("remember && this"));
    menu.actions().first()->trigger();
    CHECK(scene.prompt() == QStringLiteral("remember & this"));
}

TEST_CASE("the history holds each prompt once, the newest first, and not too many")
{
    panels::PromptHistory history;
    for (int index = 0; index < 60; ++index)
        history.add(QString::number(index));
    history.add(QStringLiteral("30"));
    history.add(QStringLiteral("  "));
    history.add(QString(panels::PromptHistory::kLongest + 1, QLatin1Char('x')));
    CHECK(history.prompts().size() == panels::PromptHistory::kMost);
    CHECK(history.prompts().first() == QStringLiteral("30"));
    CHECK(history.prompts().count(QStringLiteral("30")) == 1);
}

TEST_CASE("the line grows with what is pasted, up to three lines")
{
    PromptScene scene;
    scene.edit.showPrompt(QStringLiteral("first"));
    const int one = scene.edit.height();
    scene.edit.showPrompt(QStringLiteral("first\nsecond"));
    const int two = scene.edit.height();
    CHECK(two > one);
    scene.edit.showPrompt(QStringLiteral("word ").repeated(4000));
    const int most = scene.edit.height();
    CHECK(most - two == two - one);
    QTest::keyClick(&scene.edit, Qt::Key_Return, Qt::ShiftModifier);
    CHECK(scene.edit.toPlainText().endsWith(QLatin1Char('\n')));
    CHECK(scene.prompt() == kFirstPrompt);
}
