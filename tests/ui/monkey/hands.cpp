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

/// Calls `gesture` with the window as the system knows it, if it is still open.
template <class Gesture>
void Hands::with(Gesture gesture) const
{
    if (m_window && m_window->isVisible() && m_window->windowHandle())
        gesture(m_window->windowHandle());
}

void Hands::move(QPoint to)
{
    with([&](QWindow* window) { QTest::mouseMove(window, to); });
}

void Hands::click(QPoint at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers)
{
    with([&](QWindow* window) { QTest::mousePress(window, button, modifiers, at); });
    // The system asks for the menu, QTest does not.
    if (button == Qt::RightButton)
        with([&](QWindow* window) {
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, window->mapToGlobal(at), modifiers);
            QCoreApplication::sendEvent(window, &event);
        });
    with([&](QWindow* window) { QTest::mouseRelease(window, button, modifiers, at); });
}

void Hands::doubleClick(QPoint at)
{
    with([&](QWindow* window) { QTest::mouseDClick(window, Qt::LeftButton, Qt::NoModifier, at); });
}

void Hands::drag(QPoint from, QPoint to, Qt::MouseButton button, Qt::KeyboardModifiers modifiers)
{
    with([&](QWindow* window) { QTest::mousePress(window, button, modifiers, from); });
    for (int step = 1; step <= 4; ++step)
        with([&](QWindow* window) { QTest::mouseMove(window, from + (to - from) * step / 4); });
    with([&](QWindow* window) { QTest::mouseRelease(window, button, modifiers, to); });
}

void Hands::wheel(QPoint at, int notches, Qt::KeyboardModifiers modifiers)
{
    with([&](QWindow* window) {
        QWheelEvent event(at, window->mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(window, &event);
    });
}

void Hands::key(int key, Qt::KeyboardModifiers modifiers)
{
    with([&](QWindow* window) { QTest::keyPress(window, static_cast<Qt::Key>(key), modifiers); });
    with([&](QWindow* window) { QTest::keyRelease(window, static_cast<Qt::Key>(key), modifiers); });
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
            with([&](QWindow* window) { QTest::mouseRelease(window, button); });
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
