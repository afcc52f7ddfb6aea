#include "base/atomic_file.h"
#include "composer/figure_composer.h"
#include "control/analyses/analysis_runs.h"
#include "grid/badge_legend.h"
#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "panels/analyses/analysis_frame.h"
#include "panels/prompt/corrupted_row.h"
#include "support/catch.h"
#include "ui/window/window_under_test.h"
#include "window/file_commands.h"

#include <QApplication>
#include <QDockWidget>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

constexpr std::array kDocks = {"sweepDock",   "circuitDock", "attributionDock",
                               "scatterDock", "compareDock", "flowDock"};

QDockWidget& dock(const WindowUnderTest& test, const char* name)
{
    auto* const found = test.window->findChild<QDockWidget*>(QLatin1String(name));
    REQUIRE(found);
    return *found;
}

QAction* withKey(const WindowUnderTest& test, const QString& key)
{
    for (QAction* const action : test.window->findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(key))
            return action;
    return nullptr;
}

void askForTheName(WindowUnderTest& test)
{
    test.explorer().edit(QStringLiteral("ask"), [](control::Document& document) {
        document.target = QStringLiteral("Mary");
        document.distractor = QStringLiteral("John");
    });
    REQUIRE(test.settles());
}

}  // namespace

TEST_CASE("every analysis has a folded dock, which its entry in the menu unfolds and folds")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    for (std::size_t index = 0; index < kDocks.size(); ++index) {
        CAPTURE(kDocks[index]);
        QDockWidget& mine = dock(test, kDocks[index]);
        CHECK_FALSE(mine.isVisible());
        QAction* const show = withKey(test, QStringLiteral("Alt+%1").arg(index + 1));
        REQUIRE(show);
        show->trigger();
        CHECK(mine.isVisible());
        mine.close();
        show->trigger();
        CHECK(mine.isVisible());
        show->trigger();
        CHECK_FALSE(mine.isVisible());
    }
}

TEST_CASE("an analysis can be run and stopped from the menu")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    askForTheName(test);
    control::AnalysisRuns& analyses = test.explorer().analyses();
    QAction* const stop = withKey(test, QStringLiteral("Shift+F6"));
    REQUIRE(stop);
    CHECK_FALSE(stop->isEnabled());
    test.backend->hold(FakeBackend::Call::Analysis);
    test.action(QStringLiteral("Run the sweep"))->trigger();
    CHECK(dock(test, "sweepDock").isVisible());
    CHECK(analyses.isRunning(service::AnalysisKind::Sweep));
    CHECK(stop->isEnabled());
    stop->trigger();
    REQUIRE(QTest::qWaitFor([&] { return !analyses.isRunning(service::AnalysisKind::Sweep); }));
    CHECK_FALSE(stop->isEnabled());
    test.backend->release(FakeBackend::Call::Analysis);
    test.action(QStringLiteral("Run the sweep"))->trigger();
    const control::AnalysisState& state = analyses.state(service::AnalysisKind::Sweep, Side::Right);
    REQUIRE(QTest::qWaitFor([&] { return state.finding && !state.finding->isPartial; }));
}

TEST_CASE("badges are chosen in the menu, and undone")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    const auto* const legend = test.window->findChild<grid::BadgeLegend*>();
    const auto& badges = [&]() -> const control::TileBadges& { return test.explorer().document().badges; };
    test.action(QStringLiteral("Ranks of the circuit"))->trigger();
    CHECK(badges() ==
          control::TileBadges{control::TileBadges::Kind::Rank, service::AnalysisKind::Circuit, 20});
    CHECK(legend->isVisible());
    test.action(QStringLiteral("The first 10 ranks"))->trigger();
    CHECK(badges().count == 10);
    test.action(QStringLiteral("Known circuits"))->trigger();
    CHECK(badges().kind == control::TileBadges::Kind::KnownCircuit);
    CHECK_FALSE(test.action(QStringLiteral("Ranks of the circuit"))->isChecked());
    test.action(QStringLiteral("No badges"))->trigger();
    CHECK_FALSE(legend->isVisible());
    for (int step = 0; step < 3; ++step)
        test.explorer().history().undo();
    CHECK(test.action(QStringLiteral("Ranks of the circuit"))->isChecked());
    CHECK(legend->isVisible());
}

TEST_CASE("patching is a kind of ablation, and its prompt is asked for")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    const auto* const row = test.window->findChild<panels::CorruptedRow*>();
    CHECK_FALSE(row->isVisible());
    test.action(QStringLiteral("Patch from the corrupted prompt"))->trigger();
    CHECK(test.explorer().document().tool.kind == engine::HeadAblation::Kind::Replace);
    CHECK(row->isVisible());
    test.explorer().history().undo();
    CHECK_FALSE(row->isVisible());
}

TEST_CASE("a panel's figure opens the composer")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    const auto isComposerOpen = [] {
        const QWidgetList windows = QApplication::topLevelWidgets();
        return std::any_of(windows.begin(), windows.end(), [](const QWidget* window) {
            return qobject_cast<const composer::FigureComposer*>(window) && window->isVisible();
        });
    };
    CHECK_FALSE(isComposerOpen());
    for (const char* const name : kDocks)
        CHECK(qobject_cast<panels::AnalysisFrame*>(dock(test, name).widget()));
    Q_EMIT qobject_cast<panels::AnalysisFrame*>(dock(test, "circuitDock").widget())
        ->figureRequested(control::FigurePreset::ExplainedEffect);
    CHECK(isComposerOpen());
}

TEST_CASE(
    "a text, JSONL or CSV file that is dropped opens as a set of prompts in its panel, and not as a model")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    const QString left = test.explorer().document().side(Side::Left).model;
    const std::filesystem::path file = test.file("set.txt");
    writeFile(file, "Mary went home\nJohn went home\n");
    test.window->files().openPath(Side::Left, QString::fromStdString(file.string()));
    CHECK(test.explorer().document().set.source == QString::fromStdString(file.string()));
    CHECK(test.explorer().document().side(Side::Left).model == left);
    CHECK(dock(test, "promptsDock").isVisible());
    REQUIRE(QTest::qWaitFor([&] {
        const auto& finding =
            test.explorer().analyses().state(service::AnalysisKind::Prompts, Side::Right).finding;
        return finding && !finding->isPartial;
    }));

    test.explorer().edit(QStringLiteral("average"), [](control::Document& document) {
        document.set.average = analyses::SetAverage::Mean;
    });
    REQUIRE(test.settles());
    const std::filesystem::path session = test.file("set.headscope");
    REQUIRE(test.window->files().saveTo(session));
    test.reopen(session);
    REQUIRE(test.settles());
    CHECK(test.explorer().document().set.average == analyses::SetAverage::Mean);
    REQUIRE(test.explorer().state(Side::Right).run->set);
    CHECK(test.window->grids()
              .grid(Side::Left)
              .canvas()
              .content()
              .title.contains(QStringLiteral("mean of 2 prompts")));
}
