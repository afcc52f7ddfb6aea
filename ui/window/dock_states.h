#pragma once

#include <QByteArray>
#include <QList>
#include <QObject>

class QMainWindow;
class QWidget;

namespace hs::window {

/// How a window's docks are arranged, as bytes, and the grids alone: everything around them hidden until all
/// comes back as it was.
class DockStates : public QObject {
    Q_OBJECT

public:
    /// `around` is hidden with the docks while the grids are alone.
    DockStates(QMainWindow& window, QList<QWidget*> around);

    /// While the grids are alone, what comes back afterwards.
    QByteArray save() const;
    /// Also brings back what was hidden. Changes no dock and returns false if the state is not of this version.
    bool restore(const QByteArray& state);

    bool isAlone() const { return m_isAlone; }
    void setAlone(bool isAlone);

Q_SIGNALS:
    void aloneChanged(bool isAlone);

private:
    bool apply(const QByteArray& state);

    QMainWindow& m_window;
    QList<QWidget*> m_around;
    bool m_isAlone = false;
    QByteArray m_before;  // valid while the grids are alone
};

}  // namespace hs::window
