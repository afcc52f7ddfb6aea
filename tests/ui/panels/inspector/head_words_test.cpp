#include "panels/inspector/head_words_view.h"
#include "panels/inspector/inspector_panel.h"
#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace hs;
using namespace hs::test;

namespace {

constexpr auto kWords = service::AnalysisKind::HeadWords;

struct HeadWordsScene {
    explicit HeadWordsScene(const PanelStage::Setup& setup = {}) : stage(setup), panel(stage.explorer())
    {
        stage.explorer().setCurrent(Side::Left, HeadId{1, 2});
        present(panel, {500, 700});
    }
    QToolButton& button() { return child<QToolButton>(panel, "inspectorWordsShown"); }
    panels::HeadWordsView& view() { return child<panels::HeadWordsView>(panel, "inspectorWords"); }
    control::AnalysisRuns& analyses() { return stage.explorer().analyses(); }
    const service::AnalysisRequest& asked(Side side)
    {
        return analyses().state(kWords, side).finding->request;
    }
    /// Waits until both sides show what is asked for.
    QString words()
    {
        REQUIRE(QTest::qWaitFor([this] {
            return std::ranges::all_of(kSides, [this](Side side) {
                const control::AnalysisState& state = analyses().state(kWords, side);
                return !state.isRunning && state.finding && !state.isOutdated;
            });
        }));
        return view().toPlainText();
    }

    PanelStage stage;
    panels::InspectorPanel panel;
};

}  // namespace

TEST_CASE("a head's words are asked for when they are wanted, and not before")
{
    HeadWordsScene scene;
    const auto count = [&] { return scene.stage.backend().count(FakeBackend::Call::Analysis); };
    CHECK_FALSE(scene.view().isVisible());
    CHECK(count() == 0);
    scene.button().click();
    const QString words = scene.words();
    INFO(words.toStdString());
    CHECK(count() == 2);
    CHECK(scene.asked(Side::Left).heads == std::vector{HeadId{1, 2}});
    for (const char* const part :
         {"Writes", "at ·to 14, from all tokens", "pushes", "+1.50", "holds down", "−1.25", "+0.75", "−0.50",
          "copies", "+0.63", "Looks for", "+3.50", "−2.50"})
        CHECK(words.contains(QString::fromUtf8(part)));
    scene.stage.explorer().setHover({Side::Left, HeadId{1, 2}, 3, 2});
    QCoreApplication::processEvents();
    CHECK(count() == 2);
    scene.button().click();
    scene.stage.explorer().setCurrent(Side::Left, HeadId{2, 2});
    QCoreApplication::processEvents();
    CHECK(count() == 2);
}

TEST_CASE("a head's words follow the head and the pinned cell, of which a key after the query is none")
{
    HeadWordsScene scene;
    scene.button().click();
    scene.words();
    scene.stage.explorer().setCurrent(Side::Left, HeadId{3, 0});
    CHECK(scene.words().contains(QStringLiteral("L3H0")));
    scene.stage.explorer().edit(QStringLiteral("pin"), [](control::Document& document) {
        document.query = 10;
        document.key = 2;
    });
    CHECK(scene.words().contains(QStringLiteral("at ·John 10, from ·Mary 2")));
    CHECK(scene.asked(Side::Right).side.position == 10);
    CHECK(scene.asked(Side::Right).lens.key == 2);
    scene.stage.explorer().edit(QStringLiteral("pin"),
                                [](control::Document& document) { document.key = 12; });
    CHECK(scene.words().contains(QStringLiteral("from all tokens")));
}

TEST_CASE("maps have no words, and the reason is said")
{
    PanelStage::Setup setup;
    setup.left = QStringLiteral("maps:3x4:9x9");
    setup.right.clear();
    HeadWordsScene scene(setup);
    CHECK_FALSE(scene.button().isEnabled());
    CHECK(scene.button().toolTip().contains(QStringLiteral("open the model")));
}
