#pragma once

#include "grid/canvas.h"

#include <QApplication>
#include <QImage>
#include <QMouseEvent>
#include <QWheelEvent>

namespace hs::test {

inline void mouse(QWidget& widget, QEvent::Type type, QPointF at, Qt::MouseButton button,
                  Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    const bool isMove = type == QEvent::MouseMove;
    const Qt::MouseButtons held =
        type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::MouseButtons(button);
    QMouseEvent event(type, at, widget.mapToGlobal(at), isMove ? Qt::NoButton : button, held, modifiers);
    QApplication::sendEvent(&widget, &event);
}

inline void click(QWidget& widget, QPointF at, Qt::KeyboardModifiers modifiers = Qt::NoModifier,
                  Qt::MouseButton button = Qt::LeftButton)
{
    mouse(widget, QEvent::MouseButtonPress, at, button, modifiers);
    mouse(widget, QEvent::MouseButtonRelease, at, button, modifiers);
}

inline void doubleClick(QWidget& widget, QPointF at)
{
    click(widget, at);
    mouse(widget, QEvent::MouseButtonDblClick, at, Qt::LeftButton);
    mouse(widget, QEvent::MouseButtonRelease, at, Qt::LeftButton);
}

inline void drag(QWidget& widget, QPointF from, QPointF to, Qt::MouseButton button = Qt::LeftButton,
                 Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    mouse(widget, QEvent::MouseButtonPress, from, button, modifiers);
    mouse(widget, QEvent::MouseMove, (from + to) / 2, button, modifiers);
    mouse(widget, QEvent::MouseMove, to, button, modifiers);
    mouse(widget, QEvent::MouseButtonRelease, to, button, modifiers);
}

inline void hover(QWidget& widget, QPointF at)
{
    mouse(widget, QEvent::MouseMove, at, Qt::NoButton);
}

inline void wheel(QWidget& widget, QPointF at, double notches)
{
    QWheelEvent event(at, widget.mapToGlobal(at), QPoint(), QPoint(0, static_cast<int>(120 * notches)),
                      Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

/// The widget as shown on a screen with that pixel ratio.
inline QImage picture(QWidget& widget, double pixelRatio = 1)
{
    QImage image((QSizeF(widget.size()) * pixelRatio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(pixelRatio);
    widget.render(&image);
    return image;
}

/// The middle of a cell, in the canvas's coordinates.
inline QPointF cellCentre(const grid::Canvas& canvas, HeadId head, int query, int key)
{
    const stats::PatternShape& pattern = canvas.content().tiles->pattern();
    const QRectF tile = canvas.tileRect(head);
    return tile.topLeft() + QPointF((key + 0.5) * tile.width() / pattern.keys,
                                    (query + 0.5) * tile.height() / pattern.queries);
}

/// The picture of one tile with some room around it.
inline QImage tilePicture(grid::Canvas& canvas, HeadId head)
{
    return picture(canvas).copy(canvas.tileRect(head).toRect().adjusted(-4, -4, 4, 4));
}

inline QRgb pixelAt(grid::Canvas& canvas, QPointF view, double pixelRatio = 1)
{
    return picture(canvas, pixelRatio).pixel((view * pixelRatio).toPoint());
}

}  // namespace hs::test
