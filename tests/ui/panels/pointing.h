#pragma once

#include <QApplication>
#include <QMouseEvent>
#include <QWidget>

namespace hs::test {

/// Moves the pointer over a widget, regardless of which window the desktop has there.
inline void pointAt(QWidget& widget, QPointF at)
{
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(&widget, &event);
}

}  // namespace hs::test
