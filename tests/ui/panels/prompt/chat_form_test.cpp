#include "panels/prompt/chat_form.h"

#include "panels/prompt/prompt_edit.h"
#include "panels/prompt/prompt_panel.h"
#include "panels/prompt/token_strip.h"
#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

const QString kText = PanelStage::Setup().prompt;

/// A panel whose prompt is a chat of one message.
struct ChatScene {
    explicit ChatScene(PanelStage::Setup setup = {}) : stage(setup), panel(stage.explorer())
    {
        present(panel, {1000, 260});
        QTest::mouseClick(&child<QPushButton>(panel, "chatButton"), Qt::LeftButton);
    }

    text::Chat chat() const
    {
        return orThrow(text::parseChat(stage.document().prompt().text.toStdString(), "The chat"));
    }
    QList<panels::PromptEdit*> messages() const { return rows<panels::PromptEdit>("chatMessage"); }
    QList<QComboBox*> roles() const { return rows<QComboBox>("chatRole"); }
    void click(const char* button) { QTest::mouseClick(&child<QToolButton>(panel, button), Qt::LeftButton); }
    QUndoStack& history() { return stage.explorer().history(); }

    PanelStage stage;
    panels::PromptPanel panel;

private:
    template <class Widget>
    QList<Widget*> rows(const char* name) const
    {
        QList<Widget*> found = panel.findChildren<Widget*>(QLatin1String(name));
        found.removeIf([this](Widget* row) { return !row->isVisibleTo(&panel); });
        return found;
    }
};

}  // namespace

TEST_CASE("a text becomes the user's message and comes back, each in one step")
{
    ChatScene scene;
    CHECK(scene.stage.document().prompt().isChat);
    CHECK(scene.chat() == text::Chat{{{text::ChatRole::User, kText.toStdString()}}, {}, {}});
    REQUIRE(scene.messages().size() == 1);
    CHECK(scene.messages().front()->toPlainText() == kText);
    CHECK(scene.roles().front()->currentText() == QStringLiteral("user"));
    CHECK_FALSE(child<panels::PromptEdit>(scene.panel, "promptEdit").isVisibleTo(&scene.panel));
    CHECK(scene.history().count() == 1);

    QTest::mouseClick(&child<QPushButton>(scene.panel, "chatButton"), Qt::LeftButton);
    CHECK_FALSE(scene.stage.document().prompt().isChat);
    CHECK(scene.stage.document().prompt().text == kText);
    CHECK(child<panels::PromptEdit>(scene.panel, "promptEdit").toPlainText() == kText);
    scene.history().undo();
    CHECK(scene.stage.document().prompt().isChat);
    scene.history().undo();
    CHECK_FALSE(scene.stage.document().prompt().isChat);
    CHECK(child<panels::PromptEdit>(scene.panel, "promptEdit").isVisibleTo(&scene.panel));
}

TEST_CASE("messages are typed, added and removed, and undone")
{
    ChatScene scene;
    scene.click("addMessage");
    REQUIRE(scene.messages().size() == 2);
    CHECK(scene.roles()[1]->currentText() == QStringLiteral("assistant"));
    QSignalSpy changed(&scene.stage.explorer(), &control::Explorer::documentChanged);
    QTest::keyClicks(scene.messages()[1], QStringLiteral("Mary"));
    REQUIRE(changed.wait());
    CHECK(scene.chat().messages[1] == text::ChatMessage{text::ChatRole::Assistant, "Mary"});
    scene.click("addSystem");
    REQUIRE(scene.messages().size() == 3);
    CHECK(scene.chat().messages[0] == text::ChatMessage{text::ChatRole::System, ""});
    CHECK_FALSE(child<QToolButton>(scene.panel, "addSystem").isEnabled());
    scene.click("removeMessage");  // the first row's
    CHECK(scene.messages().size() == 2);
    CHECK(scene.chat().messages[1].content == "Mary");
    scene.history().undo();
    REQUIRE(scene.messages().size() == 3);
    CHECK(scene.messages()[2]->toPlainText() == QStringLiteral("Mary"));
    while (scene.history().canUndo())
        scene.history().undo();
    CHECK(scene.stage.document().prompt().text == kText);
}

TEST_CASE("the template is chosen with the messages")
{
    ChatScene scene;
    auto& choice = child<QComboBox>(scene.panel, "chatTemplate");
    choice.setCurrentIndex(choice.findText(QStringLiteral("gemma3")));
    Q_EMIT choice.activated(choice.currentIndex());
    CHECK(scene.chat().templateName == "gemma3");
    scene.history().undo();
    CHECK(choice.currentIndex() == 0);
    CHECK(scene.chat().templateName.empty());
}

TEST_CASE("Return in a message runs the chat, once more if nothing changed")
{
    PanelStage::Setup setup;
    setup.preferences.runsAsYouType = false;
    ChatScene scene(setup);
    scene.stage.settle();
    const int runs = scene.stage.backend().count(FakeBackend::Call::Run);
    QTest::keyClick(scene.messages().front(), Qt::Key_Return);
    scene.stage.settle();
    CHECK(scene.stage.backend().count(FakeBackend::Call::Run) > runs);
    CHECK(scene.history().count() == 1);
    QTest::keyClicks(scene.messages().front(), QStringLiteral(" and"));
    QTest::keyClick(scene.messages().front(), Qt::Key_Return);
    CHECK(scene.chat().messages[0].content == kText.toStdString() + " and");
    CHECK(scene.history().count() == 2);
}

TEST_CASE("an example takes the place of a chat")
{
    ChatScene scene;
    QMenu& menu = *child<QPushButton>(scene.panel, "examplesButton").menu();
    Q_EMIT menu.aboutToShow();
    REQUIRE(choose(menu, QStringLiteral("The Eiffel Tower")));
    CHECK_FALSE(scene.stage.document().prompt().isChat);
    CHECK(child<panels::PromptEdit>(scene.panel, "promptEdit").toPlainText() ==
          scene.stage.document().prompt().text);
}
