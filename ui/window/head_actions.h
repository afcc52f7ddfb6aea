#pragma once

#include "control/explorer/explorer.h"

#include <QObject>

class QAction;
class QMenu;
class QWidget;

namespace hs::window {

/// What can be done with the selected heads of the active grid (the current head if none is selected): the
/// same entries in the Edit menu and in the grids' context menu.
class HeadActions : public QObject {
    Q_OBJECT

public:
    /// Copy and Select all have their usual keys only while `grids` has the focus: text fields and tables use
    /// them, too.
    HeadActions(control::Explorer& explorer, QWidget& grids, QWidget* window);

    void addTo(QMenu* menu) const;
    QList<QAction*> selecting() const { return m_selecting; }

Q_SIGNALS:
    void openRequested(hs::HeadId head);

private:
    QAction* make(const QString& text, const QKeySequence& shortcut, std::function<void()> act);
    std::set<HeadId> targets() const;
    void refresh();
    void hideTargets();
    void showAsList();
    void copyAsText() const;
    void copyAsCommand() const;

    control::Explorer& m_explorer;
    QWidget* m_window;
    QList<QAction*> m_ablating;   // of those on heads, what takes an engine
    QList<QAction*> m_onHeads;    // need at least one head
    QList<QAction*> m_selecting;  // change the selection
};

}  // namespace hs::window
