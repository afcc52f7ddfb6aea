#include "window/main_window.h"

#include "grid/head_grids.h"
#include "support/catch.h"
#include "ui/window/window_under_test.h"
#include "window/dock_tabs.h"
#include "window/file_commands.h"
#include "window/message_bar.h"
#include "window/shortcut_sheet.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QDropEvent>
#include <QMenu>
#include <QMimeData>
#include <QTextBrowser>
#include <QUndoStack>

#include <set>

using namespace hs;
using namespace hs::test;

namespace {

void drop(window::MainWindow& window, QPoint where, const QString& path)
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(where, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    REQUIRE(enter.isAccepted());
    QDropEvent event(where, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
}

}  // namespace

TEST_CASE("the window opens on its document and shows both sides")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    for (const Side side : kSides)
        CHECK(test.explorer().state(side).run->tokens.size() == 9);
    CHECK(test.window->windowTitle().contains(QStringLiteral("Untitled")));
    CHECK_FALSE(test.window->isWindowModified());
}

TEST_CASE("undo and redo in the menu walk the document's history")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    const control::Document before = test.explorer().document();
    test.explorer().toggleAblation(Side::Left, {{1, 2}});
    CHECK(test.window->isWindowModified());
    const control::Document after = test.explorer().document();
    QTest::keyClick(test.window.get(), Qt::Key_Z, Qt::ControlModifier);
    CHECK(test.explorer().document() == before);
    CHECK_FALSE(test.window->isWindowModified());
    QTest::keyClick(test.window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    CHECK(test.explorer().document() == after);
}

TEST_CASE("no two menu entries share a key")
{
    WindowUnderTest test;
    std::set<QString> keys;
    for (const QAction* const action : test.window->findChildren<QAction*>())
        for (const QKeySequence& key : action->shortcuts()) {
            if (action->shortcutContext() != Qt::WindowShortcut)
                continue;  // belongs to one widget
            CAPTURE(key.toString().toStdString(), action->text().toStdString());
            CHECK(keys.insert(key.toString()).second);
        }
    CHECK(keys.size() > 20);
}

TEST_CASE("the sheet lists every key of the menus")
{
    WindowUnderTest test;
    const window::ShortcutSheet sheet(*test.window);
    const QString text = sheet.findChild<QTextBrowser*>()->toPlainText();
    for (const QAction* const action : test.window->findChildren<QAction*>())
        if (!action->shortcut().isEmpty() && !action->text().isEmpty()) {
            CAPTURE(action->text().toStdString());
            CHECK(text.contains(action->shortcut().toString(QKeySequence::NativeText)));
        }
}

TEST_CASE("menu choices are steps that can be undone and are ticked while they hold")
{
    WindowUnderTest test;
    QAction* const stacked = test.action(QStringLiteral("Stacked"));
    REQUIRE(stacked);
    stacked->trigger();
    CHECK(test.explorer().document().arrangement == control::Arrangement::Stacked);
    CHECK(stacked->isChecked());
    stacked->trigger();  // an entry that holds stays ticked
    CHECK(stacked->isChecked());
    test.explorer().history().undo();
    CHECK_FALSE(stacked->isChecked());
    CHECK(test.action(QStringLiteral("Automatic"))->isChecked());
}

TEST_CASE("one key takes the first token out and rescales, and brings back what was shown before")
{
    WindowUnderTest test;
    const bool isPerHead = GENERATE(false, true);
    const bool hidesFirst = GENERATE(false, true);
    if (isPerHead && hidesFirst)
        return;
    test.explorer().edit(QStringLiteral("Test"), [&](control::Document& document) {
        document.look.isPerHead = isPerHead;
        document.look.hidesFirstToken = hidesFirst;
    });
    QAction* const out = test.action(QStringLiteral("First token out, rescaled"));
    REQUIRE(out);
    CHECK(out->shortcut() == QKeySequence(QStringLiteral("T")));
    CHECK_FALSE(out->isChecked());
    const control::Look before = test.explorer().document().look;
    out->trigger();
    CHECK(out->isChecked());
    CHECK(test.explorer().document().look.isPerHead);
    CHECK(test.explorer().document().look.hidesFirstToken);
    out->trigger();
    CHECK_FALSE(out->isChecked());
    CHECK(test.explorer().document().look == before);
}

TEST_CASE("every choice in the menus can be taken, and all of them undone")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    const control::Document before = test.explorer().document();
    int taken = 0;
    for (QAction* const action : test.window->findChildren<QAction*>())
        if (action->isCheckable() && action->objectName() != QStringLiteral("linked") &&
            action->objectName() != QStringLiteral("gridsAlone") &&
            !qobject_cast<QDockWidget*>(action->parent()) &&
            !qobject_cast<window::DockTabs*>(action->parent()) && !action->isChecked()) {
            action->trigger();
            ++taken;
        }
    CHECK(taken > 20);
    while (test.explorer().history().canUndo())
        test.explorer().history().undo();
    CHECK(test.explorer().document() == before);
    CHECK(test.settles());
}

TEST_CASE("actions on heads take the selection, else the current head")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    control::Explorer& explorer = test.explorer();
    explorer.setCurrent(Side::Right, HeadId{2, 1});
    test.action(QStringLiteral("Ablate"))->trigger();
    CHECK(explorer.document().side(Side::Right).ablations.contains({2, 1}));
    explorer.select({{0, 0}, {0, 1}});
    test.action(QStringLiteral("Keep alone, ablate all others"))->trigger();
    CHECK(explorer.document().side(Side::Right).ablations.size() == 22);
    test.action(QStringLiteral("Copy names"))->trigger();
    CHECK(QApplication::clipboard()->text() == QStringLiteral("L0H0,L0H1"));
    test.action(QStringLiteral("Invert selection"))->trigger();
    CHECK(explorer.selection().size() == 22);
    test.action(QStringLiteral("Hide"))->trigger();
    CHECK(explorer.shownHeads(Side::Right) == std::vector<HeadId>{{0, 0}, {0, 1}});
    test.action(QStringLiteral("Show hidden heads"))->trigger();
    CHECK(explorer.shownHeads(Side::Right).size() == 24);
    explorer.select({{3, 5}, {1, 0}});
    test.action(QStringLiteral("Show as a list"))->trigger();
    CHECK(explorer.shownHeads(Side::Right) == std::vector<HeadId>{{1, 0}, {3, 5}});
}

TEST_CASE("a folder dropped on a grid opens there as its model")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    const QPoint right =
        test.window->grids().mapTo(test.window.get(), QPoint(test.window->grids().width() - 60, 100));
    drop(*test.window, right, QStringLiteral("/models/some-model"));
    CHECK(test.explorer().document().side(Side::Right).model == QStringLiteral("/models/some-model"));
    CHECK(test.explorer().document().side(Side::Left).model == QStringLiteral("fake:4x6"));
    REQUIRE(test.settles());
    CHECK_FALSE(test.window->messages().text().isEmpty());  // the missing model is reported
    CHECK(test.explorer().state(Side::Right).run);          // what was shown stays
}

TEST_CASE("an error leaves with its cause")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    test.explorer().openModel(Side::Right, QStringLiteral("/models/some-model"));
    REQUIRE(test.settles());
    const QString error = test.window->messages().text();
    REQUIRE_FALSE(error.isEmpty());
    test.explorer().history().undo();
    REQUIRE(test.settles());
    CHECK(test.window->messages().text().isEmpty());

    test.window->messages().show({control::Message::Kind::Error, QStringLiteral("another"), {}});
    test.explorer().history().redo();
    test.explorer().history().undo();
    REQUIRE(test.settles());
    CHECK(test.window->messages().text() == QStringLiteral("another"));
}

TEST_CASE("models that were opened are offered again")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    QMenu* recent = nullptr;
    for (QMenu* const menu : test.window->findChildren<QMenu*>())
        if (menu->title().remove(QLatin1Char('&')) == QStringLiteral("Open recent") && !recent)
            recent = menu;
    REQUIRE(recent);
    Q_EMIT recent->aboutToShow();
    REQUIRE(recent->actions().size() == 2);
    QAction* const other = recent->actions()[0]->text() == QStringLiteral("fake:4x6+gate")
                               ? recent->actions()[0]
                               : recent->actions()[1];
    other->trigger();  // on the left, whose menu is the first
    CHECK(test.explorer().document().side(Side::Left).model == QStringLiteral("fake:4x6+gate"));
    CHECK(test.settles());
}

TEST_CASE("every control of the window has a name for screen readers")
{
    WindowUnderTest test;
    REQUIRE(test.settles());
    for (const QWidget* const widget : test.window->findChildren<QWidget*>()) {
        const bool takesInput = widget->focusPolicy() != Qt::NoFocus && widget->isVisible() &&
                                !widget->objectName().startsWith(QStringLiteral("qt_"));
        const QAccessibleInterface* const face =
            takesInput ? QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget)) : nullptr;
        if (!face)
            continue;
        CAPTURE(widget->metaObject()->className(), widget->objectName().toStdString());
        CHECK_FALSE(face->text(QAccessible::Name).isEmpty());
    }
}

TEST_CASE("while only maps are open, what takes an engine is greyed and says why")
{
    WindowUnderTest test(QStringLiteral("maps:3x4:9x9"), QStringLiteral("maps:3x4:7x19"));
    REQUIRE(test.settles());
    test.explorer().setCurrent(Side::Left, HeadId{0, 1});
    const QString reason = test.explorer().whyNoRun();
    REQUIRE_FALSE(reason.isEmpty());
    for (const char* const text :
         {"Ablate", "Keep alone, ablate all others", "Scores", "Weights × values", "After − before ablation",
          "Run the sweep", "Find the circuit", "Ranks of the sweep", "Ablate to zero", "Score gate"}) {
        CAPTURE(text);
        const QAction* const action = test.action(QString::fromUtf8(text));
        REQUIRE(action);
        CHECK_FALSE(action->isEnabled());
        CHECK(action->toolTip() == reason);
    }
    for (const char* const text : {"Weights", "Hide", "Open in inspector", "Ranks of the comparison"}) {
        CAPTURE(text);
        CHECK(test.action(QString::fromUtf8(text))->isEnabled());
    }
    test.explorer().openModel(Side::Left, QStringLiteral("fake:4x6"));
    REQUIRE(test.settles());
    test.explorer().setCurrent(Side::Left, HeadId{0, 1});
    CHECK(test.action(QStringLiteral("Ablate"))->isEnabled());
    CHECK(test.action(QStringLiteral("Run the sweep"))->isEnabled());
}
