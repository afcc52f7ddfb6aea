#include "window/dock_tabs.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLayout>
#include <QMainWindow>
#include <QToolButton>

#include <algorithm>

namespace hs::window {
namespace {

constexpr int kUsualLines = 16;     // of text, in a dock above or below the grids
constexpr int kUsualColumn = 27;    // the width of a dock beside them, in heights of a line
constexpr double kMostShare = 0.4;  // of the window, unless the user makes it larger

bool isBeside(Qt::DockWidgetArea area)
{
    return area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
}

}  // namespace

DockTabs::DockTabs(QMainWindow& window) : m_window(window)
{
    setObjectName(QStringLiteral("dockTabs"));
    setAccessibleName(tr("Panels"));
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    layout()->setContentsMargins({});
    layout()->setSpacing(2);
}

QAction* DockTabs::add(QDockWidget* dock, const QString& title, const QKeySequence& shortcut)
{
    QAction* const tab = addAction(title);
    tab->setCheckable(true);
    tab->setShortcut(shortcut);
    auto* const button = qobject_cast<QToolButton*>(widgetForAction(tab));
    button->setFocusPolicy(Qt::TabFocus);
    button->setAutoRaise(false);
    dock->hide();
    dock->installEventFilter(this);
    m_docks << dock;
    connect(dock, &QDockWidget::visibilityChanged, tab, &QAction::setChecked);
    connect(tab, &QAction::triggered, this, [this, dock](bool isUnfolded) {
        if (isUnfolded)
            unfold(*dock);
        else
            dock->hide();
    });
    return tab;
}

QAction* DockTabs::tabOf(const QDockWidget& dock) const
{
    return actions().at(m_docks.indexOf(&dock));
}

void DockTabs::unfold(QDockWidget& dock)
{
    Q_EMIT aboutToUnfold();
    const bool wasFolded = dock.isHidden();
    if (!dock.isFloating())
        foldOthers(dock);
    dock.show();
    dock.raise();
    if (!wasFolded || dock.isFloating())
        return;
    const Qt::DockWidgetArea area = m_window.dockWidgetArea(&dock);
    const auto known = m_extents.find(area);
    m_window.resizeDocks({&dock}, {known == m_extents.end() ? usualExtent(area) : known->second},
                         isBeside(area) ? Qt::Horizontal : Qt::Vertical);
}

void DockTabs::foldOthers(const QDockWidget& dock)
{
    auto* const mine = const_cast<QDockWidget*>(&dock);  // Qt asks without changing it
    const QList<QDockWidget*> together = m_window.tabifiedDockWidgets(mine);
    for (QDockWidget* const other : std::as_const(m_docks))
        if (other != mine && !other->isFloating() && !together.contains(other) &&
            m_window.dockWidgetArea(other) == m_window.dockWidgetArea(mine))
            other->hide();
}

int DockTabs::usualExtent(Qt::DockWidgetArea area) const
{
    const int line = fontMetrics().lineSpacing();
    return isBeside(area) ? std::min(kUsualColumn * line, int(kMostShare * m_window.width()))
                          : std::min(kUsualLines * line, int(kMostShare * m_window.height()));
}

void DockTabs::noteHidden(const QDockWidget& dock)
{
    if (!m_window.isVisible())
        return;
    if (!dock.isFloating()) {
        const Qt::DockWidgetArea area = m_window.dockWidgetArea(const_cast<QDockWidget*>(&dock));
        m_extents[area] = isBeside(area) ? dock.width() : dock.height();
    }
    if (dock.isAncestorOf(QApplication::focusWidget()))
        Q_EMIT focusLeft();
}

bool DockTabs::eventFilter(QObject* watched, QEvent* event)
{
    auto* const dock = qobject_cast<QDockWidget*>(watched);
    if (dock && event->type() == QEvent::Hide)
        noteHidden(*dock);
    // Only what the panel has no use for arrives here; first as the question whether it is a shortcut.
    const bool isAsked = event->type() == QEvent::ShortcutOverride;
    const bool isEscape = (isAsked || event->type() == QEvent::KeyPress) &&
                          static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (dock && isEscape && !dock->isFloating()) {
        if (isAsked)
            event->accept();
        else
            dock->hide();
        return true;
    }
    return QToolBar::eventFilter(watched, event);
}

}  // namespace hs::window
