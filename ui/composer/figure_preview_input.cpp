#include "composer/figure_preview.h"

#include <QKeyEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace hs::composer {
namespace {

constexpr double kZoomStep = 1.25;

}  // namespace

void FigurePreview::setZoom(std::optional<double> zoom)
{
    zoomAt(QRectF(viewport()->rect()).center(), zoom);
}

void FigurePreview::zoomIn()
{
    setZoom(actualZoom() * kZoomStep);
}

void FigurePreview::zoomOut()
{
    setZoom(actualZoom() / kZoomStep);
}

void FigurePreview::zoomAt(QPointF anchor, std::optional<double> zoom)
{
    if (zoom)
        zoom = std::clamp(*zoom, kLeastZoom, kMostZoom);
    const QRectF before = page();
    const QPointF share((anchor.x() - before.x()) / std::max(before.width(), 1.0),
                        (anchor.y() - before.y()) / std::max(before.height(), 1.0));
    m_zoom = zoom;
    refreshBars();
    const QSizeF size = pageSize();
    horizontalScrollBar()->setValue(qRound(share.x() * size.width() + kMargin - anchor.x()));
    verticalScrollBar()->setValue(qRound(share.y() * size.height() + kMargin - anchor.y()));
    viewport()->update();
    Q_EMIT zoomChanged();
}

void FigurePreview::wheelEvent(QWheelEvent* event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier))
        return QAbstractScrollArea::wheelEvent(event);
    const double notches = event->angleDelta().y() / 120.0;
    zoomAt(event->position(), actualZoom() * std::pow(kZoomStep, notches));
    event->accept();
}

void FigurePreview::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    m_dragged = event->position().toPoint();
    refreshCursor();
}

void FigurePreview::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_dragged)
        return;
    const QPoint moved = event->position().toPoint() - *m_dragged;
    m_dragged = event->position().toPoint();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - moved.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - moved.y());
}

void FigurePreview::mouseReleaseEvent(QMouseEvent*)
{
    m_dragged.reset();
    refreshCursor();
}

void FigurePreview::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomIn();
    case Qt::Key_Minus: return zoomOut();
    case Qt::Key_0: return setZoom(std::nullopt);
    case Qt::Key_1: return setZoom(1);
    case Qt::Key_2: return setZoom(2);
    case Qt::Key_4: return setZoom(4);
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

}  // namespace hs::composer
