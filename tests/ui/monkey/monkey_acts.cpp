// What each kind of action does to the window.
#include "composer/figure_composer.h"
#include "composer/figure_export.h"
#include "control/explorer/explorer.h"
#include "grid/head_grid.h"
#include "grid/head_grids.h"
#include "ui/monkey/hands.h"
#include "ui/monkey/monkey.h"
#include "window/dock_tabs.h"
#include "window/file_commands.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QMenu>

#include <array>

namespace hs::test {
namespace {

using Kind = MonkeyAction::Kind;

constexpr std::array kModifiers = {
    Qt::KeyboardModifiers(Qt::NoModifier),    Qt::KeyboardModifiers(Qt::NoModifier),
    Qt::KeyboardModifiers(Qt::NoModifier),    Qt::KeyboardModifiers(Qt::ControlModifier),
    Qt::KeyboardModifiers(Qt::ShiftModifier), Qt::KeyboardModifiers(Qt::AltModifier),
};

constexpr std::array kKeys = {
    Qt::Key_Left,   Qt::Key_Right,     Qt::Key_Up,      Qt::Key_Down, Qt::Key_Space, Qt::Key_Return,
    Qt::Key_Escape, Qt::Key_Tab,       Qt::Key_Backtab, Qt::Key_Home, Qt::Key_End,   Qt::Key_PageUp,
    Qt::Key_Delete, Qt::Key_PageDown,  Qt::Key_P,       Qt::Key_F,    Qt::Key_Plus,  Qt::Key_Minus,
    Qt::Key_0,      Qt::Key_Backspace, Qt::Key_1,       Qt::Key_A,    Qt::Key_X,     Qt::Key_Menu,
    Qt::Key_L,      Qt::Key_B,         Qt::Key_S,       Qt::Key_T,    Qt::Key_F9,
};

const QStringList& texts()
{
    static const QStringList all = {
        QStringLiteral("When Tom and Lucy went to the park , Lucy gave a ball to"),
        QStringLiteral("When Mary and John went to the store , Mary gave a drink to"),
        QStringLiteral("one two three one two"),
        QStringLiteral("John"),
        QStringLiteral("Mary"),
        QStringLiteral(" "),
        QStringLiteral("naïve café, 東京 😀\u0301 \u202Eabc"),
        QStringLiteral("line one\nline two\n\nline four"),
        QStringLiteral("the cat sat on the mat ").repeated(30),
        QStringLiteral("density<0.1 & L1H*"),
        QStringLiteral("L0H1, L2H*"),
        QStringLiteral("((!L9H9"),
        QStringLiteral("7"),
        QStringLiteral("-1e99"),
    };
    return all;
}

template <class List>
auto& pick(List& list, unsigned which)
{
    return list[static_cast<int>(which % static_cast<unsigned>(list.size()))];
}

QPoint placeIn(const QWidget& widget, double x, double y)
{
    return {static_cast<int>(x * widget.width()), static_cast<int>(y * widget.height())};
}

/// Widgets that a mouse or the Tab key can reach.
QList<QWidget*> controlsOf(const QWidget& window)
{
    QList<QWidget*> controls;
    for (QWidget* const widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && widget->isEnabled() && widget->focusPolicy() != Qt::NoFocus &&
            widget->window() == &window && !widget->visibleRegion().isEmpty())
            controls << widget;
    return controls;
}

QList<QAction*> actionsOf(const QWidget& window)
{
    QList<QAction*> actions;
    for (QAction* const action : window.findChildren<QAction*>())
        if (action->isEnabled() && !action->isSeparator() && !action->menu())
            actions << action;
    return actions;
}

/// Entries of the menus that say which tiles stand where, and what their cells are of.
QList<QAction*> layoutsOf(const QWidget& window)
{
    static const QStringList titles = {QStringLiteral("Grids"), QStringLiteral("Layout"),
                                       QStringLiteral("Order"), QStringLiteral("Cells are of")};
    QList<QAction*> layouts;
    for (const QMenu* const menu : window.findChildren<QMenu*>())
        if (titles.contains(menu->title().remove(QLatin1Char('&'))))
            for (QAction* const action : menu->actions())
                if (action->isEnabled() && !action->isSeparator())
                    layouts << action;
    return layouts;
}

}  // namespace

/// Whatever has the keyboard: a popup, a dialog, or else the window or, at times, another one beside it.
QWidget& Monkey::target(const MonkeyAction& action)
{
    if (QWidget* const popup = QApplication::activePopupWidget())
        return *popup;
    if (QWidget* const modal = QApplication::activeModalWidget())
        return *modal;
    QWidgetList windows = {&m_stage.window()};
    for (QWidget* const dock : m_stage.window().findChildren<QDockWidget*>())
        if (dock->isVisible() && dock->isWindow())
            windows << dock;
    for (QWidget* const other : QApplication::topLevelWidgets())
        if (other->isVisible() && other->objectName() == QStringLiteral("figureComposer"))
            windows << other;
    return *(action.variant % 3 == 0 ? pick(windows, action.which / 7) : windows.front());
}

void Monkey::perform(const MonkeyAction& action)
{
    QWidget& window = target(action);
    Hands hands(window);
    const QPoint at = placeIn(window, action.x, action.y);
    const QPoint to = placeIn(window, action.toX, action.toY);
    const Qt::KeyboardModifiers modifiers = pick(kModifiers, action.variant);
    switch (action.kind) {
    case Kind::Move: return hands.move(at);
    case Kind::Click: return hands.click(at, Qt::LeftButton, modifiers);
    case Kind::RightClick: return hands.click(at, Qt::RightButton, modifiers);
    case Kind::DoubleClick: return hands.doubleClick(at);
    case Kind::Drag:
        return hands.drag(at, to, action.which % 4 == 0 ? Qt::MiddleButton : Qt::LeftButton, modifiers);
    case Kind::Wheel: return hands.wheel(at, action.which % 2 == 0 ? 1 : -1, modifiers);
    case Kind::Key: return hands.key(pick(kKeys, action.which), modifiers);
    case Kind::Press:
        if (QList<QWidget*> controls = controlsOf(window); !controls.isEmpty()) {
            const QWidget& control = *pick(controls, action.which);
            hands.click(control.mapTo(&window, placeIn(control, action.x, action.y)), Qt::LeftButton,
                        Qt::NoModifier);
        }
        return;
    case Kind::Type: return type(action);
    default:
        if (!isInterrupted())
            performOnWindow(action);
    }
}

void Monkey::performOnWindow(const MonkeyAction& action)
{
    window::MainWindow& window = m_stage.window();
    Hands hands(window);
    switch (action.kind) {
    case Kind::Tile: {
        const grid::Canvas& canvas = window.grids().grid(kSides[action.variant % 2]).canvas();
        if (canvas.isVisible() && !canvas.content().heads.empty())
            hands.click(
                canvas.mapTo(&window,
                             canvas.tileRect(pick(canvas.content().heads, action.which)).center().toPoint()),
                Qt::LeftButton, pick(kModifiers, action.variant / 2));
        return;
    }
    case Kind::Shortcut: {
        QList<QAction*> actions = actionsOf(window);
        erase_if(actions, [](const QAction* each) { return each->shortcut().isEmpty(); });
        return hands.press(pick(actions, action.which)->shortcut());
    }
    case Kind::Trigger: {
        QList<QAction*> actions = actionsOf(window);
        return pick(actions, action.which)->trigger();
    }
    case Kind::Undo:
        for (unsigned count = 0; count <= action.which % 4; ++count)
            hands.press(QKeySequence::Undo);
        return;
    case Kind::Redo:
        for (unsigned count = 0; count <= action.which % 6; ++count)
            hands.press(QKeySequence(QStringLiteral("Ctrl+Shift+Z")));
        return;
    case Kind::Cancel:
        return hands.press(
            QKeySequence(action.which % 3 == 0 ? QStringLiteral("F5") : QStringLiteral("Ctrl+.")));
    case Kind::Resize:
        return window.resize(300 + static_cast<int>(1400 * action.x), 250 + static_cast<int>(850 * action.y));
    case Kind::Layout: {
        QList<QAction*> layouts = layoutsOf(window);
        return pick(layouts, action.which)->trigger();
    }
    case Kind::Dock: return showDock(action);
    case Kind::Composer: {
        composer::FigureComposer& composer = window.openComposer();
        if (action.which % 2 == 0)
            composer.close();
        return;
    }
    case Kind::Model:
        return hands.drop(placeIn(window, action.x, action.y), pick(Stage::models(), action.which));
    case Kind::Save:
        window.files().saveTo(m_stage.file(action.which % 2 == 0 ? "a.headscope" : "b.headscope"));
        return;
    case Kind::Open:
        return hands.drop(placeIn(window, action.x, action.y),
                          QString::fromStdString(
                              m_stage.file(action.which % 2 == 0 ? "a.headscope" : "b.headscope").string()));
    case Kind::Export: return exportSomething(action);
    default: return;
    }
}

void Monkey::type(const MonkeyAction& action)
{
    QWidget& window = target(action);
    Hands hands(window);
    if (&window == &m_stage.window() && action.variant % 2 == 0)
        hands.press(QKeySequence(QStringLiteral("Ctrl+L")));
    hands.paste(pick(texts(), action.which));
    if (action.variant % 5 == 0)
        hands.key(Qt::Key_Return);
}

void Monkey::showDock(const MonkeyAction& action)
{
    window::MainWindow& window = m_stage.window();
    QList<QDockWidget*> docks = window.tabs().docks();
    QDockWidget& dock = *pick(docks, action.which);
    if (action.variant % 5 == 0)
        return dock.setFloating(!dock.isFloating());
    if (action.variant % 5 == 1)
        return dock.toggleViewAction()->trigger();
    if (action.variant % 5 == 2)
        return window.tabs().tabOf(dock)->trigger();
    window.tabs().unfold(dock);
}

void Monkey::exportSomething(const MonkeyAction& action)
{
    static constexpr std::array kNames = {"shown.pdf", "shown.svg", "shown.png", "missing/shown.pdf"};
    const std::filesystem::path file = m_stage.file(pick(kNames, action.which));
    if (action.variant % 2 == 0)
        return m_stage.window().files().exportPicture(file);
    composer::FigureExport& figure = m_stage.window().openComposer().exports();
    if (action.variant % 4 == 1)
        figure.writeTo(file);
    else
        figure.writeDataTo(m_stage.file("data.csv"));
}

void Monkey::answerFileDialog(QFileDialog& dialog)
{
    if (dialog.acceptMode() == QFileDialog::AcceptOpen || m_done % 2 == 0)
        return dialog.reject();
    const bool isSession = dialog.nameFilters().join(QString()).contains(QStringLiteral(".headscope"));
    dialog.selectFile(
        QString::fromStdString(m_stage.file(isSession ? "a.headscope" : "chosen.pdf").string()));
    attended([&] { Hands(dialog).key(Qt::Key_Return); });
}

}  // namespace hs::test
