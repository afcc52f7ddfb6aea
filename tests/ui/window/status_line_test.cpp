#include "window/status_line.h"

#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "support/catch.h"
#include "ui/window/window_under_test.h"
#include "window/dock_tabs.h"

#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QToolButton>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

namespace {

QToolButton& buttonOf(const WindowUnderTest& test, const char* name)
{
    return *test.window->findChild<QToolButton*>(QString::fromLatin1(name));
}

/// Starts a run that waits until it is cancelled.
void startSlowRun(const WindowUnderTest& test)
{
    test.backend->hold(Call::Run);
    test.explorer().edit(QStringLiteral("Type"), [](control::Document& document) {
        control::setPrompt(document, QStringLiteral("Something slow"));
    });
    REQUIRE(QTest::qWaitFor([&] { return buttonOf(test, "cancel").isVisible(); }));
}

QStringList offers(QToolButton& hints)
{
    Q_EMIT hints.menu()->aboutToShow();
    QStringList texts;
    for (const QAction* const action : hints.menu()->actions())
        texts << action->text().remove(QLatin1Char('&'));
    return texts;
}

}  // namespace

TEST_CASE("the status line says what the wait is, how long it was and how long it will be")
{
    const auto start = control::Activity::Clock::now();
    const auto at = [&](int seconds) { return start + std::chrono::seconds(seconds); };
    control::Activity activity{true, QStringLiteral("Running Qwen2.5-1.5B"), {}, 0, 0, 0, {}, {}};
    CHECK(window::describeWait(activity, start) == QStringLiteral("Running Qwen2.5-1.5B …"));
    activity.since = start;
    activity.step = QStringLiteral("layer 13 of 28");
    activity.done = 12;
    activity.total = 28;
    activity.reported = at(3);
    CHECK(window::describeWait(activity, at(3)) ==
          QStringLiteral("Running Qwen2.5-1.5B: layer 13 of 28, 3 s so far, about 4 s left"));
    activity.reported = at(300);
    CHECK(window::describeWait(activity, at(300)) ==
          QStringLiteral("Running Qwen2.5-1.5B: layer 13 of 28, 5 min so far, about 7 min left"));
    activity.done = 28;
    activity.step = QStringLiteral("reading predictions");
    CHECK(window::describeWait(activity, at(0)) ==
          QStringLiteral("Running Qwen2.5-1.5B: reading predictions"));
}

TEST_CASE("Escape stops a run that takes a while, once nothing is left to release")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    QApplication::setActiveWindow(test.window.get());
    grid::Canvas& canvas = test.window->grids().grid(Side::Left).canvas();
    canvas.setFocus();
    test.explorer().select({{1, 1}});
    startSlowRun(test);
    QTest::keyClick(&canvas, Qt::Key_Escape);
    CHECK(test.explorer().selection().empty());
    CHECK(test.explorer().activity().isBusy);
    QTest::keyClick(&canvas, Qt::Key_Escape);
    CHECK(QTest::qWaitFor([&] { return !test.explorer().activity().isBusy; }));
    CHECK_FALSE(test.explorer().state(Side::Left).problem.isEmpty());
}

TEST_CASE("Escape in a dock folds it and leaves the run alone")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    QApplication::setActiveWindow(test.window.get());
    test.window->unfold(QStringLiteral("metricsDock"));
    auto* const filter = test.window->findChild<QWidget*>(QStringLiteral("metricsFilter"));
    filter->setFocus();
    startSlowRun(test);
    QTest::keyClick(filter, Qt::Key_Escape);
    CHECK_FALSE(test.window->findChild<QDockWidget*>(QStringLiteral("metricsDock"))->isVisible());
    CHECK_FALSE(buttonOf(test, "cancel").isDown());
    CHECK(test.explorer().activity().isBusy);
    test.backend->release(Call::Run);
    CHECK(test.settles());
}

TEST_CASE("what helps is offered where runs take long, and does what it says")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    QToolButton& hints = buttonOf(test, "waitHints");
    CHECK_FALSE(hints.isVisible());
    test.backend->setMilliseconds(7000);
    test.explorer().edit(QStringLiteral("Type"), [](control::Document& document) {
        control::setPrompt(document, QStringLiteral("w ").repeated(40));
    });
    REQUIRE(test.settles());
    REQUIRE(hints.isVisible());
    const QStringList offered = offers(hints);
    CHECK(offered == QStringList{QStringLiteral("Run on Return only, not while typing"),
                                 QStringLiteral("Shorten the prompt")});

    hints.menu()->actions().at(0)->trigger();
    CHECK_FALSE(test.explorer().preferences().runsAsYouType);
    CHECK(offers(hints).at(0) == QStringLiteral("Run while typing again"));
    hints.menu()->actions().at(0)->trigger();
    CHECK(test.explorer().preferences().runsAsYouType);

    QApplication::setActiveWindow(test.window.get());
    offers(hints);
    hints.menu()->actions().at(1)->trigger();
    CHECK(test.window->findChild<QWidget*>(QStringLiteral("promptPanel"))
              ->isAncestorOf(QApplication::focusWidget()));

    test.backend->setMilliseconds(4);
    test.explorer().edit(QStringLiteral("Type"), [](control::Document& document) {
        control::setPrompt(document, QStringLiteral("w"));
    });
    REQUIRE(test.settles());
    CHECK_FALSE(hints.isVisible());
}
