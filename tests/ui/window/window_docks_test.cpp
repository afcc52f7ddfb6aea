#include "composer/figure_composer.h"
#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "panels/prompt/prompt_panel.h"
#include "support/catch.h"
#include "ui/window/window_under_test.h"
#include "window/dock_states.h"
#include "window/dock_tabs.h"
#include "window/file_commands.h"
#include "window/message_bar.h"
#include "window/window_arrangements.h"

#include <QApplication>
#include <QDockWidget>
#include <QMenuBar>
#include <QTabBar>
#include <QToolButton>
#include <QUndoStack>

using namespace hs;
using namespace hs::test;

namespace {

QDockWidget& dockOf(const WindowUnderTest& test, const char* name)
{
    auto* const found = test.window->findChild<QDockWidget*>(QLatin1String(name));
    REQUIRE(found);
    return *found;
}

QAction& tabOf(const WindowUnderTest& test, const char* name)
{
    return *test.window->tabs().tabOf(dockOf(test, name));
}

QStringList unfolded(const WindowUnderTest& test)
{
    QApplication::processEvents();
    QStringList names;
    for (const QDockWidget* const dock : test.window->tabs().docks())
        if (dock->isVisible())
            names << dock->objectName();
    return names;
}

/// What is shown where: the window's docks and the rows around the grids.
QString look(const WindowUnderTest& test)
{
    QApplication::processEvents();
    QString text;
    const auto add = [&text](const QWidget& widget) {
        const QRect at = widget.geometry();
        text += QStringLiteral("%1 %2 %3,%4 %5x%6\n")
                    .arg(widget.objectName())
                    .arg(widget.isVisible())
                    .arg(at.x())
                    .arg(at.y())
                    .arg(at.width())
                    .arg(at.height());
    };
    for (const QDockWidget* const dock : test.window->tabs().docks())
        if (dock->isVisible())
            add(*dock);
    for (const QWidget* const part : {test.window->menuWidget(), static_cast<QWidget*>(&test.window->tabs()),
                                      static_cast<QWidget*>(&test.window->grids())})
        add(*part);
    return text;
}

double canvasShare(WindowUnderTest& test)
{
    QRect canvases;
    for (const Side side : kSides) {
        const QWidget& canvas = test.window->grids().grid(side).canvas();
        canvases |= QRect(canvas.mapTo(test.window.get(), QPoint()), canvas.size());
    }
    return double(canvases.width()) * canvases.height() /
           (double(test.window->width()) * test.window->height());
}

window::WindowArrangements& arrangements(const WindowUnderTest& test)
{
    return *test.window->findChild<window::WindowArrangements*>();
}

}  // namespace

TEST_CASE("at first start the canvases have two thirds of the window")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    for (const QSize size : {QSize(1280, 720), QSize(1440, 900), QSize(1920, 1080), QSize(3840, 2160)}) {
        test.window->resize(size);
        QApplication::processEvents();
        REQUIRE(test.window->size() == size);
        CAPTURE(size.width(), size.height());
        std::printf("figure: canvas share at %dx%d %.1f %%\n", size.width(), size.height(),
                    100 * canvasShare(test));
        CHECK(canvasShare(test) >= 2.0 / 3);
    }
}

TEST_CASE("at first start every dock is folded behind its tab")
{
    WindowUnderTest test;
    CHECK(unfolded(test).isEmpty());
    CHECK(test.window->tabs().docks().size() == 15);
    for (const QAction* const tab : test.window->tabs().actions())
        CHECK_FALSE(tab->isChecked());
}

TEST_CASE("docks that share an area are exclusive, and no tab bar but the row of tabs appears")
{
    WindowUnderTest test;
    tabOf(test, "circuitDock").trigger();
    CHECK(unfolded(test) == QStringList{QStringLiteral("circuitDock")});
    tabOf(test, "inspectorDock").trigger();
    CHECK(unfolded(test) == QStringList{QStringLiteral("inspectorDock"), QStringLiteral("circuitDock")});
    tabOf(test, "sweepDock").trigger();
    CHECK(unfolded(test) == QStringList{QStringLiteral("inspectorDock"), QStringLiteral("sweepDock")});
    tabOf(test, "predictionsDock").trigger();
    CHECK(unfolded(test) == QStringList{QStringLiteral("predictionsDock"), QStringLiteral("sweepDock")});
    CHECK(tabOf(test, "sweepDock").isChecked());
    CHECK_FALSE(tabOf(test, "circuitDock").isChecked());
    for (const QTabBar* const bar : test.window->findChildren<QTabBar*>())
        CHECK_FALSE((bar->parentWidget() == test.window.get() && bar->isVisible()));
    tabOf(test, "sweepDock").trigger();
    tabOf(test, "predictionsDock").trigger();
    CHECK(unfolded(test).isEmpty());
}

TEST_CASE("floating docks stay when another one is unfolded")
{
    WindowUnderTest test;
    tabOf(test, "sweepDock").trigger();
    dockOf(test, "sweepDock").setFloating(true);
    tabOf(test, "circuitDock").trigger();
    CHECK(unfolded(test) == QStringList{QStringLiteral("sweepDock"), QStringLiteral("circuitDock")});
}

TEST_CASE("a dock is unfolded as high as the one before it in its area")
{
    WindowUnderTest test;
    tabOf(test, "metricsDock").trigger();
    test.window->resizeDocks({&dockOf(test, "metricsDock")}, {333}, Qt::Vertical);
    QApplication::processEvents();
    REQUIRE(dockOf(test, "metricsDock").height() == 333);
    tabOf(test, "headsDock").trigger();
    QApplication::processEvents();
    CHECK(dockOf(test, "headsDock").height() == 333);
    tabOf(test, "headsDock").trigger();
    tabOf(test, "metricsDock").trigger();
    QApplication::processEvents();
    CHECK(dockOf(test, "metricsDock").height() == 333);
}

TEST_CASE("what is asked for is unfolded: an analysis, a head, the predictions")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    QTest::keyClick(test.window.get(), Qt::Key_F7);
    CHECK(dockOf(test, "circuitDock").isVisible());
    QTest::keyClick(test.window.get(), Qt::Key_F6);
    CHECK(unfolded(test) == QStringList{QStringLiteral("sweepDock")});
    test.window->openHead({2, 3});
    CHECK(dockOf(test, "inspectorDock").isVisible());
    CHECK(test.explorer().currentHead() == HeadId{2, 3});
    QTest::mouseClick(test.window->findChild<QToolButton*>(QStringLiteral("nextTokens")), Qt::LeftButton);
    CHECK(dockOf(test, "predictionsDock").isVisible());
    CHECK_FALSE(dockOf(test, "inspectorDock").isVisible());
}

TEST_CASE("Escape in a dock folds it, and the grids have the keyboard again")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    QApplication::setActiveWindow(test.window.get());
    tabOf(test, "metricsDock").trigger();
    auto* const filter = test.window->findChild<QWidget*>(QStringLiteral("metricsFilter"));
    filter->setFocus();
    REQUIRE(filter->hasFocus());
    QTest::keyClick(filter, Qt::Key_Escape);
    CHECK(unfolded(test).isEmpty());
    CHECK(test.window->grids().isAncestorOf(QApplication::focusWidget()));
}

TEST_CASE("the grids alone bring everything back as it was")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    tabOf(test, "inspectorDock").trigger();
    tabOf(test, "circuitDock").trigger();
    test.window->resizeDocks({&dockOf(test, "circuitDock")}, {281}, Qt::Vertical);
    const QString before = look(test);
    const double share = canvasShare(test);

    QTest::keyClick(test.window.get(), Qt::Key_F9);
    CHECK(unfolded(test).isEmpty());
    CHECK_FALSE(test.window->menuWidget()->isVisible());
    CHECK_FALSE(test.window->tabs().isVisible());
    CHECK(test.window->grids().isVisible());
    CHECK(test.window->findChild<QWidget*>(QStringLiteral("stage"))->isVisible());
    CHECK(canvasShare(test) > share);

    QTest::keyClick(test.window.get(), Qt::Key_F9);
    CHECK(look(test) == before);
}

TEST_CASE("keys of the menus work while the grids are alone, and what is asked for ends that")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    window::DockStates& docks = test.window->docks();
    docks.setAlone(true);
    QTest::keyClick(test.window.get(), Qt::Key_D, Qt::ControlModifier);
    CHECK(test.explorer().document().tiles == control::TileValue::BetweenSides);
    CHECK(docks.isAlone());
    QTest::keyClick(test.window.get(), Qt::Key_F7);
    CHECK_FALSE(docks.isAlone());
    CHECK(unfolded(test) == QStringList{QStringLiteral("circuitDock")});
    docks.setAlone(true);
    QTest::keyClick(test.window.get(), Qt::Key_L, Qt::ControlModifier);
    CHECK(test.window->findChild<panels::PromptPanel*>()->isVisible());
}

TEST_CASE("a run is kept, compared with and forgotten from the menus")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    const auto entry = [&](const char* text) {
        for (QAction* const action : test.window->findChildren<QAction*>())
            if (action->text().remove(QLatin1Char('&')) == QLatin1String(text))
                return action;
        return static_cast<QAction*>(nullptr);
    };
    QAction* const since = entry("Since the kept run");
    QAction* const forget = entry("Forget the kept run");
    REQUIRE(since);
    REQUIRE(forget);
    CHECK_FALSE(since->isEnabled());
    CHECK_FALSE(since->toolTip().isEmpty());
    CHECK_FALSE(forget->isEnabled());
    QTest::keyClick(test.window.get(), Qt::Key_J, Qt::ControlModifier);
    CHECK(since->isEnabled());
    CHECK(test.explorer().history().count() == 0);
    QTest::keyClick(test.window.get(), Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
    CHECK(test.explorer().document().tiles == control::TileValue::SinceKept);
    CHECK(since->isChecked());
    forget->trigger();
    CHECK(test.explorer().document().tiles == control::TileValue::Weights);
    CHECK_FALSE(since->isEnabled());
    CHECK_FALSE(since->isChecked());
}

TEST_CASE("docks keep their layout from one window to the next, also from grids alone")
{
    WindowUnderTest test;
    tabOf(test, "edgesDock").trigger();
    test.window->docks().setAlone(true);
    test.window->close();
    test.reopen();
    CHECK(unfolded(test) == QStringList{QStringLiteral("edgesDock")});
    CHECK(tabOf(test, "edgesDock").isChecked());
    CHECK_FALSE(test.window->docks().isAlone());
}

TEST_CASE("a session keeps the docks, also from grids alone, and one opened there ends that")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    tabOf(test, "headsDock").trigger();
    test.window->docks().setAlone(true);
    REQUIRE(test.window->files().saveTo(test.file("docks.headscope")));
    test.window->docks().setAlone(false);
    tabOf(test, "headsDock").trigger();
    test.window->docks().setAlone(true);
    test.window->files().openSession(test.file("docks.headscope"));
    REQUIRE(test.settles());
    CHECK(unfolded(test) == QStringList{QStringLiteral("headsDock")});
    CHECK_FALSE(test.window->docks().isAlone());
}

TEST_CASE("a layout of an earlier version leaves the window as it is made, without complaint")
{
    WindowUnderTest test;
    QByteArray old;
    {
        QMainWindow before;
        old = before.saveState(2);
    }
    {
        QSettings settings(QString::fromStdString(test.file("settings.ini").string()), QSettings::IniFormat);
        test.window->close();
        settings.setValue(QStringLiteral("window/state"), old);
    }
    test.reopen();
    CHECK(unfolded(test).isEmpty());
    CHECK(test.window->messages().text().isEmpty());
}

TEST_CASE("an arrangement comes back as it was saved, also in another window, until it is removed")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    const auto entry = [&test](const QString& name) -> QAction* {
        for (QAction* const action : arrangements(test).findChildren<QAction*>())
            if (action->text() == name)
                return action;
        return nullptr;
    };
    tabOf(test, "edgesDock").trigger();
    tabOf(test, "predictionsDock").trigger();
    test.window->resizeDocks({&dockOf(test, "edgesDock")}, {222}, Qt::Vertical);
    const QString before = look(test);
    arrangements(test).save(QStringLiteral("mine & yours"));
    test.action(QStringLiteral("Browse"))->trigger();
    CHECK(unfolded(test).isEmpty());
    test.window->docks().setAlone(true);
    REQUIRE(entry(QStringLiteral("mine && yours")));
    entry(QStringLiteral("mine && yours"))->trigger();
    CHECK(look(test) == before);

    test.window->close();
    test.reopen();
    CHECK(arrangements(test).names() == QStringList{QStringLiteral("mine & yours")});
    arrangements(test).remove(QStringLiteral("mine & yours"));
    CHECK(arrangements(test).names().isEmpty());
    CHECK_FALSE(entry(QStringLiteral("mine && yours")));
}

TEST_CASE("the program's own arrangements unfold what they are for, and keep their names")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    const auto choose = [&test](const char* name) {
        for (QAction* const action :
             test.window->findChild<window::WindowArrangements*>()->parent()->findChildren<QAction*>())
            if (action->text() == QLatin1String(name))
                action->trigger();
    };
    choose("&Circuit");
    CHECK(unfolded(test) == QStringList{QStringLiteral("inspectorDock"), QStringLiteral("circuitDock")});
    choose("&Figure");
    CHECK(unfolded(test) == QStringList{QStringLiteral("metricsDock")});
    CHECK(test.window->openComposer().isVisible());
    choose("&Browse");
    CHECK(unfolded(test).isEmpty());
    arrangements(test).save(QStringLiteral("browse"));
    CHECK(arrangements(test).names() == QStringList{QStringLiteral("browse 2")});
}
