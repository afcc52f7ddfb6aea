#include "window/dock_states.h"

#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>

namespace hs::window {
namespace {

constexpr int kLayoutVersion = 3;  // increased when the docks change

}  // namespace

DockStates::DockStates(QMainWindow& window, QList<QWidget*> around)
    : QObject(&window), m_window(window), m_around(std::move(around))
{
}

QByteArray DockStates::save() const
{
    return m_isAlone ? m_before : m_window.saveState(kLayoutVersion);
}

bool DockStates::restore(const QByteArray& state)
{
    setAlone(false);
    return apply(state);
}

/// Qt shows the tab bars of the restored docks one by one; showing one lays the window out, which may add or
/// remove others meanwhile. So the layout is off until all are shown.
bool DockStates::apply(const QByteArray& state)
{
    m_window.layout()->setEnabled(false);
    const bool isRestored = m_window.restoreState(state, kLayoutVersion);
    m_window.layout()->setEnabled(true);
    m_window.layout()->activate();
    return isRestored;
}

void DockStates::setAlone(bool isAlone)
{
    if (isAlone == m_isAlone)
        return;
    if (isAlone)
        m_before = save();
    m_isAlone = isAlone;
    for (QWidget* const part : std::as_const(m_around))
        part->setVisible(!isAlone);
    if (isAlone)
        for (QDockWidget* const dock : m_window.findChildren<QDockWidget*>())
            dock->hide();
    else
        apply(m_before);
    Q_EMIT aloneChanged(isAlone);
}

}  // namespace hs::window
