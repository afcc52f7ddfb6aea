#pragma once

#include <QEvent>
#include <QPoint>
#include <QPointer>
#include <QString>
#include <QWidget>

namespace hs::test {

/// Mouse and keyboard on a window, by the path that a desktop's events take: through the window system, so
/// that popups, modal dialogs and shortcuts get theirs. Positions are in window coordinates. Does nothing
/// once the window is closed, which may be in the middle of a gesture.
class Hands {
public:
    explicit Hands(QWidget& window) : m_window(&window) {}

    void move(QPoint to);
    void click(QPoint at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
    void doubleClick(QPoint at);
    void drag(QPoint from, QPoint to, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
    void wheel(QPoint at, int notches, Qt::KeyboardModifiers modifiers);
    void key(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void press(const QKeySequence& keys);
    void paste(const QString& text);
    /// Releases any mouse button that is still held.
    void letGo();
    /// Drags a folder or file here from elsewhere.
    void drop(QPoint at, const QString& path);

private:
    template <class Gesture>
    void with(Gesture gesture) const;
    void mouse(QEvent::Type type, QPoint at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);

    QPointer<QWidget> m_window;
    Qt::MouseButtons m_held = Qt::NoButton;
    bool m_isDoubling = false;
};

}  // namespace hs::test
