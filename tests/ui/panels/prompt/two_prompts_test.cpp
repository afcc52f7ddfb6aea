#include "panels/prompt/dial_row.h"
#include "panels/prompt/prompt_edit.h"
#include "panels/prompt/prompt_line.h"
#include "panels/prompt/prompt_panel.h"
#include "panels/prompt/token_strip.h"
#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QPushButton>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

struct Scene {
    Scene() : stage(), panel(stage.explorer()) { present(panel, {1300, 220}); }

    void change(const std::function<void(control::Document&)>& how)
    {
        stage.explorer().edit(QStringLiteral("Test"), how);
    }

    PanelStage stage;
    panels::PromptPanel panel;
};

}  // namespace

TEST_CASE("the right side's prompt has a line and a strip of its own while it is another one")
{
    Scene scene;
    auto& row = child<panels::PromptLine>(scene.panel, "otherRow");
    auto& strip = child<panels::TokenStrip>(scene.panel, "secondStrip");
    auto& button = child<QPushButton>(scene.panel, "twoPromptsButton");
    CHECK_FALSE(row.isVisible());
    button.click();
    CHECK(row.isVisible());
    auto& edit = child<panels::PromptEdit>(scene.panel, "otherEdit");
    CHECK(edit.toPlainText() == scene.stage.document().prompt().text);
    edit.setPlainText(QStringLiteral("When Mary and Anna went to the store"));
    QTest::keyClick(&edit, Qt::Key_Return);
    scene.stage.settle();
    CHECK(scene.stage.document().prompt(Side::Right).text ==
          QStringLiteral("When Mary and Anna went to the store"));
    CHECK(scene.stage.document().prompt().text == PanelStage::Setup().prompt);
    CHECK(strip.isVisible());
    CHECK(strip.count() == 9);
    CHECK(strip.stateOf(4).isChanged);
    CHECK_FALSE(strip.stateOf(3).isChanged);
    CHECK(strip.describe(4).contains(QStringLiteral("not so in the other text")));
    button.click();
    scene.stage.settle();
    CHECK_FALSE(row.isVisible());
    CHECK_FALSE(strip.isVisible());
}

TEST_CASE("a token pinned in the right side's strip is the one that stands for it in the left side's text")
{
    Scene scene;
    scene.change([](control::Document& document) {
        document.alike.prompt = false;
        control::setPrompt(document, QStringLiteral("Then When Mary and John went to the store"), false,
                           Side::Right);
    });
    scene.stage.settle();
    auto& strip = child<panels::TokenStrip>(scene.panel, "secondStrip");
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, strip.chipRect(3).center());
    CHECK(scene.stage.document().key == 2);
    CHECK(strip.stateOf(3).isKey);
    const auto before = scene.stage.document().key;
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {},
                      strip.chipRect(1).center());  // "Then" is not there
    CHECK(scene.stage.document().key == before);
}

TEST_CASE("an adapter has a dial, and turning it is one step to undo")
{
    Scene scene;
    auto& row = child<panels::DialRow>(scene.panel, "dialRow");
    CHECK_FALSE(row.isVisible());
    scene.stage.explorer().addAdapter(Side::Right, QStringLiteral("/models/lora"));
    CHECK(row.isVisible());
    auto& dial = child<QSlider>(row, "adapterDial");
    CHECK(dial.value() == 20);
    for (const int value : {18, 14, 10})
        dial.setValue(value);
    const auto& adapters = scene.stage.document().side(Side::Right).adapters;
    CHECK(adapters == std::vector<engine::AdapterChoice>{{"/models/lora", 0.5}});
    scene.stage.explorer().history().undo();
    CHECK(adapters.front().strength == 1);
    CHECK(dial.value() == 20);
    row.findChild<QToolButton*>()->click();
    CHECK_FALSE(row.isVisible());
    CHECK(scene.stage.document().side(Side::Right).adapters.empty());
}
