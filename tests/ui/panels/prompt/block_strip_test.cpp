#include "panels/prompt/block_menu.h"
#include "panels/prompt/prompt_panel.h"
#include "panels/prompt/token_strip.h"
#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPushButton>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

struct StripOfBlocks {
    explicit StripOfBlocks(text::BlockUnit unit) : strip(stage.explorer())
    {
        present(strip, {1200, strip.sizeHint().height()});
        stage.explorer().edit(QStringLiteral("Test"),
                              [unit](control::Document& document) { panels::cutInto(document, unit); });
        stage.settle();
    }

    void drag(int from, int to)
    {
        const QPoint start = strip.chipRect(from).center(), end = strip.chipRect(to).center();
        QTest::mousePress(strip.viewport(), Qt::LeftButton, {}, start);
        QMouseEvent move(QEvent::MouseMove, end, strip.viewport()->mapToGlobal(end), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(strip.viewport(), &move);
        QTest::mouseRelease(strip.viewport(), Qt::LeftButton, {}, end);
        stage.settle();
    }
    std::string own() const { return toString(stage.document().blocks.own); }

    PanelStage stage;
    panels::TokenStrip strip;
};

}  // namespace

TEST_CASE("dragging over tokens makes one block of them where own blocks are chosen, in one step")
{
    StripOfBlocks scene(text::BlockUnit::Own);
    REQUIRE(scene.strip.count() == 15);
    const int steps = scene.stage.explorer().history().count();
    scene.drag(4, 2);
    CHECK(scene.own() == "2-4");
    CHECK(scene.stage.explorer().history().count() == steps + 1);
    CHECK_FALSE(scene.stage.document().key);
    REQUIRE(scene.strip.count() == 13);
    CHECK(scene.strip.stateOf(2).isBlock);
    CHECK_FALSE(scene.strip.stateOf(3).isBlock);
    CHECK(scene.strip.describe(2).contains(QStringLiteral("tokens 2–4")));

    scene.drag(2, 4);  // the block and two tokens
    CHECK(scene.own() == "2-6");
    scene.stage.explorer().history().undo();
    scene.stage.settle();
    CHECK(scene.own() == "2-4");
    QTest::mouseClick(scene.strip.viewport(), Qt::LeftButton, {}, scene.strip.chipRect(2).center());
    CHECK(scene.stage.document().key == 2);
    CHECK(scene.strip.stateOf(2).isKey);
}

TEST_CASE(
    "an own block is dissolved in the strip's menu, alone or with all others, and pinned tokens become one")
{
    StripOfBlocks scene(text::BlockUnit::Own);
    scene.drag(1, 3);
    scene.drag(4, 6);
    CHECK(scene.own() == "1-3,6-8");
    CHECK(choose(*std::unique_ptr<QMenu>(scene.strip.newMenu(1)), QStringLiteral("Dissolve this")));
    CHECK(scene.own() == "6-8");
    scene.stage.settle();
    CHECK(choose(*std::unique_ptr<QMenu>(scene.strip.newMenu(0)), QStringLiteral("Dissolve all")));
    CHECK(scene.own().empty());
    scene.stage.settle();
    CHECK_FALSE(choose(*std::unique_ptr<QMenu>(scene.strip.newMenu(3)), QStringLiteral("Make one block")));

    StripOfBlocks tokens(text::BlockUnit::Tokens);
    tokens.drag(2, 4);
    CHECK(tokens.stage.document().keyTo == 4);
    CHECK(choose(*std::unique_ptr<QMenu>(tokens.strip.newMenu(3)), QStringLiteral("Make one block")));
    CHECK(tokens.own() == "2-4");
    CHECK(tokens.stage.document().blocks.unit == text::BlockUnit::Own);
}

TEST_CASE("predictions are read at the last token of a block, whose chip has the mark")
{
    StripOfBlocks scene(text::BlockUnit::Own);
    scene.drag(2, 4);
    CHECK(scene.strip.stateOf(12).isRead);
    QTest::mouseClick(scene.strip.viewport(), Qt::LeftButton, Qt::ControlModifier,
                      scene.strip.chipRect(2).center());
    CHECK(scene.stage.document().position == 4);
    scene.stage.settle();
    CHECK(scene.strip.stateOf(2).isRead);
    QTest::mouseClick(scene.strip.viewport(), Qt::LeftButton, Qt::ControlModifier,
                      scene.strip.chipRect(2).center());
    CHECK_FALSE(scene.stage.document().position);
}

TEST_CASE("the button of blocks says which there are, and its menu cuts the text")
{
    PanelStage stage;
    panels::PromptPanel panel(stage.explorer());
    present(panel, {1300, 220});
    auto& button = child<QPushButton>(panel, "blocksButton");
    CHECK(button.text() == QStringLiteral("&Blocks"));
    auto* const menu = qobject_cast<panels::BlockMenu*>(button.menu());
    REQUIRE(menu);
    Q_EMIT menu->aboutToShow();
    CHECK_FALSE(choose(*menu, QStringLiteral("Messages")));  // no chat
    CHECK(choose(*menu, QStringLiteral("Sentences")));
    CHECK(stage.document().blocks.unit == text::BlockUnit::Sentences);
    stage.settle();
    CHECK(button.text() == QStringLiteral("&Blocks: sentences"));
    stage.explorer().history().undo();
    CHECK(button.text() == QStringLiteral("&Blocks"));
    stage.explorer().edit(QStringLiteral("Average"), [](control::Document& document) {
        document.set.source = QStringLiteral("prompts.txt");
        document.set.average = analyses::SetAverage::Mean;
    });
    stage.settle();
    CHECK_FALSE(button.isEnabled());
    CHECK(button.toolTip().contains(QStringLiteral("A set's average is of tokens")));
}
