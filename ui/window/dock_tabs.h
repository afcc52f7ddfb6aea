#pragma once

#include <QToolBar>

#include <map>

class QDockWidget;
class QMainWindow;

namespace hs::window {

/// A row with a tab for each dock: a click unfolds the dock, a second one folds it. Docks that share an area of
/// the window are unfolded one at a time, each as large as the one before it; floating docks, and docks that
/// the user has tabbed together, stay as they are. Escape in a dock folds it.
class DockTabs : public QToolBar {
    Q_OBJECT

public:
    explicit DockTabs(QMainWindow& window);

    /// The dock's tab; the window must have the dock already, and is its owner.
    QAction* add(QDockWidget* dock, const QString& title, const QKeySequence& shortcut = {});
    const QList<QDockWidget*>& docks() const { return m_docks; }
    QAction* tabOf(const QDockWidget& dock) const;

    void unfold(QDockWidget& dock);

Q_SIGNALS:
    void aboutToUnfold();
    void focusLeft();  // the dock with the focus is being folded

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void foldOthers(const QDockWidget& dock);
    int usualExtent(Qt::DockWidgetArea area) const;
    void noteHidden(const QDockWidget& dock);

    QMainWindow& m_window;
    QList<QDockWidget*> m_docks;
    std::map<Qt::DockWidgetArea, int> m_extents;  // height or width of the dock last unfolded there
};

}  // namespace hs::window
