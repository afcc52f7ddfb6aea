#include "ui/monkey/hands.h"

#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QKeySequence>
#include <QMimeData>
#include <QTest>
#include <QWheelEvent>
#include <QWindow>

namespace hs::test {

/// Calls `gesture` with the native window, if it is still open.
template <class Gesture>
void Hands::with(Gesture gesture) const
{
    if (m_window && m_window->isVisible() && m_window->windowHandle())
        gesture(m_window->windowHandle());
}

/// In sequence; presses are a second apart, except within a double click.
void Hands::mouse(QEvent::Type type, QPoint at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers)
{
    static int time = 0;
    static constexpr int kSecond = 1000;
    time += type == QEvent::MouseButtonPress && !m_isDoubling ? kSecond : 1;
    if (type == QEvent::MouseButtonPress)
        m_held = button;
    else if (type == QEvent::MouseButtonRelease)
        m_held = Qt::NoButton;
    with([&](QWindow* window) {
        qt_handleMouseEvent(window, at, window->mapToGlobal(at), m_held, button, type, modifiers, time);
        QCoreApplication::processEvents();
    });
}

void Hands::move(QPoint to)
{
    mouse(QEvent::MouseMove, to, Qt::NoButton, Qt::NoModifier);
}

void Hands::click(QPoint at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers)
{
    mouse(QEvent::MouseButtonPress, at, button, modifiers);
    // On a desktop the system requests the menu.
    if (button == Qt::RightButton)
        with([&](QWindow* window) {
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, window->mapToGlobal(at), modifiers);
            QCoreApplication::sendEvent(window, &event);
        });
    mouse(QEvent::MouseButtonRelease, at, button, modifiers);
}

void Hands::doubleClick(QPoint at)
{
    click(at, Qt::LeftButton, Qt::NoModifier);
    m_isDoubling = true;
    click(at, Qt::LeftButton, Qt::NoModifier);
    m_isDoubling = false;
}

void Hands::drag(QPoint from, QPoint to, Qt::MouseButton button, Qt::KeyboardModifiers modifiers)
{
    mouse(QEvent::MouseButtonPress, from, button, modifiers);
    for (int step = 1; step <= 4; ++step)
        mouse(QEvent::MouseMove, from + (to - from) * step / 4, Qt::NoButton, modifiers);
    mouse(QEvent::MouseButtonRelease, to, button, modifiers);
}

void Hands::wheel(QPoint at, int notches, Qt::KeyboardModifiers modifiers)
{
    with([&](QWindow* window) {
        QWheelEvent event(at, window->mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(window, &event);
    });
}

/// Without QTest, which also presses the modifiers and ignores that one may close the window.
void Hands::key(int key, Qt::KeyboardModifiers modifiers)
{
    const bool isLetter = key < 0x80 && !(modifiers & ~Qt::ShiftModifier);
    const QString text = isLetter ? QString(QTest::keyToAscii(static_cast<Qt::Key>(key))) : QString();
    for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease})
        with([&](QWindow* window) { qt_handleKeyEvent(window, type, key, modifiers, text); });
}

void Hands::press(const QKeySequence& keys)
{
    for (unsigned index = 0; index < static_cast<unsigned>(keys.count()); ++index)
        key(keys[index].key(), keys[index].keyboardModifiers());
}

void Hands::paste(const QString& text)
{
    QApplication::clipboard()->setText(text);
    key(Qt::Key_V, Qt::ControlModifier);
}

void Hands::letGo()
{
    for (const Qt::MouseButton button : {Qt::LeftButton, Qt::MiddleButton, Qt::RightButton})
        if (QGuiApplication::mouseButtons().testFlag(button))
            mouse(QEvent::MouseButtonRelease, QPoint(), button, Qt::NoModifier);
}

void Hands::drop(QPoint at, const QString& path)
{
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_window, &enter);
    QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_window, &event);
}

}  // namespace hs::test
