#include "panels/prompt/generation_row.h"

#include "control/explorer/generation_runs.h"
#include "panels/prompt/generated_line.h"
#include "panels/prompt/prompt_panel.h"
#include "panels/prompt/token_strip.h"
#include "support/catch.h"
#include "ui/explorer_under_test.h"
#include "ui/panels/panel_stage.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTest>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

constexpr int kTokens = 20;        // as many as are generated at first
constexpr int kPromptTokens = 15;  // on PanelStage

struct GenerationScene {
    explicit GenerationScene(PanelStage::Setup setup = {})
        : stage(setup), panel(stage.explorer()), row(child<panels::GenerationRow>(panel, "generationRow")),
          generate(child<QPushButton>(panel, "generateButton")), slider(child<QSlider>(panel, "stepSlider")),
          left(child<panels::GeneratedLine>(panel, "generatedLine0")),
          right(child<panels::GeneratedLine>(panel, "generatedLine1"))
    {
        present(panel, {1200, 220});
    }
    void write()
    {
        generate.click();
        waitUntil(stage.explorer(), [&] { return !stage.explorer().generation().isRunning(); });
        stage.settle();
    }
    QString words(const char* label) { return child<QLabel>(panel, label).text(); }

    PanelStage stage;
    panels::PromptPanel panel;
    panels::GenerationRow& row;
    QPushButton& generate;
    QSlider& slider;
    panels::GeneratedLine& left;
    panels::GeneratedLine& right;
};

}  // namespace

TEST_CASE("a click on Generate writes on, and the next one takes the text away")
{
    GenerationScene scene;
    CHECK_FALSE(scene.row.isVisible());
    scene.write();
    CHECK(scene.row.isVisible());
    CHECK(scene.generate.isChecked());
    CHECK(scene.left.count() == kTokens);
    CHECK(scene.right.count() == kTokens);
    CHECK(scene.slider.maximum() == kTokens);
    CHECK(scene.slider.value() == kTokens);
    CHECK(scene.words("generationWords").contains(QStringLiteral("whole text")));
    scene.generate.click();
    CHECK_FALSE(scene.row.isVisible());
    CHECK(scene.stage.document().side(Side::Left).generated.empty());
    scene.stage.explorer().history().undo();
    CHECK(scene.row.isVisible());
    CHECK(scene.generate.isChecked());
}

TEST_CASE("the slider and a click on a token look at a step: its text, its choice and the runners-up")
{
    GenerationScene scene;
    scene.write();
    scene.slider.setValue(4);
    CHECK(scene.stage.document().step == 4);
    CHECK(scene.words("stepLabel") == QStringLiteral("step 4 of 20"));
    CHECK(scene.words("generationWords").contains(QStringLiteral("its last row chose them")));
    QTest::mouseClick(scene.left.viewport(), Qt::LeftButton, {}, scene.left.chipRect(2).center());
    CHECK(scene.stage.document().step == 2);
    CHECK(scene.slider.value() == 2);
    const control::SideRun& run = *scene.stage.explorer().state(Side::Left).run;
    CHECK(run.tokens.size() == kPromptTokens + 2);
    const QString choice = child<QLabel>(scene.panel, "generatedChoice0").toolTip();
    CHECK(choice.contains(QStringLiteral("loss ")));
    CHECK(choice.contains(QStringLiteral("runners-up ")));
    CHECK(choice.count(QStringLiteral(" %")) == 4);
    CHECK(scene.stage.explorer().history().count() == 2);  // looking about is one step
    scene.slider.setValue(kTokens);
    CHECK_FALSE(scene.stage.document().step);
}

TEST_CASE("where the two texts part is said and marked, and so is that they do not")
{
    PanelStage::Setup setup;
    setup.right = setup.left;
    GenerationScene same(setup);
    same.write();
    CHECK(same.words("generationWords").contains(QStringLiteral("write the same")));
    CHECK(same.left.parting() == -1);

    GenerationScene scene;
    scene.stage.explorer().edit(QStringLiteral("Test"), [](control::Document& document) {
        document.side(Side::Left).generated = {5, 6, 7};
        document.side(Side::Right).generated = {5, 6, 8, 9};
    });
    scene.stage.settle();
    CHECK(scene.words("generationWords").contains(QStringLiteral("part at step 2")));
    CHECK(scene.left.parting() == 2);
    CHECK(scene.right.parting() == 2);
    CHECK(countPixels(scene.left.grab().toImage(), isReddish) > 20);
    CHECK(countPixels(same.left.grab().toImage(), isReddish) == 0);
}

TEST_CASE("generated tokens stand in the strip in another form, as far as they are in the text shown")
{
    GenerationScene scene;
    scene.write();
    scene.slider.setValue(3);
    const auto& strip = child<panels::TokenStrip>(scene.panel, "tokenStrip");
    REQUIRE(strip.count() == kPromptTokens + 3);
    CHECK_FALSE(strip.stateOf(kPromptTokens - 1).isGenerated);
    CHECK(strip.stateOf(kPromptTokens).isGenerated);
    CHECK(strip.describe(kPromptTokens).contains(QStringLiteral("generated")));
}

TEST_CASE("what is written is told as it comes, and Stop keeps it")
{
    GenerationScene scene;
    scene.stage.backend().hold(FakeBackend::Call::Generation);
    scene.generate.click();
    scene.stage.backend().waitUntilHeld(FakeBackend::Call::Generation);
    REQUIRE(QTest::qWaitFor([&] { return scene.left.count() == kTokens / 2 - 1; }));
    auto& write = child<QPushButton>(scene.panel, "writeButton");
    CHECK(write.text() == QStringLiteral("Stop"));
    CHECK_FALSE(scene.slider.isEnabled());
    write.click();
    scene.stage.backend().release(FakeBackend::Call::Generation);
    CHECK(write.text() == QStringLiteral("Again"));
    CHECK(scene.slider.isEnabled());
    CHECK(scene.stage.document().side(Side::Left).generated.size() == kTokens / 2 - 1);
}

TEST_CASE("options are the document's, and those that differ stay in view")
{
    GenerationScene scene;
    scene.write();
    const auto& options = child<QWidget>(scene.panel, "generationOptions");
    CHECK_FALSE(options.isVisible());
    child<QPushButton>(scene.panel, "optionsButton").click();
    CHECK(options.isVisible());
    CHECK_FALSE(child<QSpinBox>(scene.panel, "seedBox").isEnabled());
    child<QDoubleSpinBox>(scene.panel, "temperatureBox").setValue(0.8);
    CHECK(scene.stage.document().generation.temperature == 0.8);
    CHECK(child<QSpinBox>(scene.panel, "seedBox").isEnabled());
    child<QSpinBox>(scene.panel, "seedBox").setValue(7);
    child<QSpinBox>(scene.panel, "countBox").setValue(3);
    CHECK(scene.stage.document().generation.seed == 7);
    CHECK(scene.stage.document().generation.count == 3);
    scene.stage.explorer().history().undo();
    CHECK(child<QSpinBox>(scene.panel, "countBox").value() == kTokens);
}
