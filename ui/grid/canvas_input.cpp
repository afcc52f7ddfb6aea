#include "grid/canvas.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QGestureEvent>
#include <QKeyEvent>
#include <QNativeGestureEvent>
#include <QSet>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace hs::grid {
namespace {

constexpr double kWheelFactor = 1.2;  // per notch
constexpr double kNotch = 120;        // in eighths of a degree
constexpr double kKeyFactor = 1.5;
constexpr double kLeastCutCell = 5;  // pixels; smaller cells are too easily missed
const QSet<int> kPlainKeys = {Qt::Key_F, Qt::Key_L, Qt::Key_B, Qt::Key_S};

}  // namespace

bool Canvas::event(QEvent* event)
{
    switch (event->type()) {
    case QEvent::Gesture: return pinched(static_cast<QGestureEvent*>(event)) || QWidget::event(event);
    case QEvent::ToolTip: return showTip(static_cast<QHelpEvent*>(event));
    case QEvent::NativeGesture:
        return pinched(static_cast<QNativeGestureEvent*>(event)) || QWidget::event(event);
    case QEvent::ShortcutOverride: {
        // Plain keys belong to the grid while it has the focus, Escape if there is something to release.
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool canRelease = !m_marks.selected.empty() || m_marks.pinnedQuery || m_marks.pinnedKey;
        if (key->modifiers() == Qt::NoModifier &&
            (kPlainKeys.contains(key->key()) || (key->key() == Qt::Key_Escape && canRelease)))
            event->accept();
        return QWidget::event(event);
    }
    default: return QWidget::event(event);
    }
}

bool Canvas::showTip(QHelpEvent* event)
{
    const auto head = headAt(event->pos());
    const QString note = head ? noteOn(*head) : QString();
    if (note.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPos(),
                           QStringLiteral("%1: %2").arg(QString::fromStdString(toString(*head)), note), this,
                           tileRect(*head).toAlignedRect());
    return true;
}

bool Canvas::pinched(QGestureEvent* event)
{
    auto* pinch = static_cast<QPinchGesture*>(event->gesture(Qt::PinchGesture));
    if (!pinch)
        return false;
    if (pinch->changeFlags() & QPinchGesture::ScaleFactorChanged)
        zoomAbout(mapFromGlobal(pinch->centerPoint()), pinch->scaleFactor());
    event->accept(pinch);
    return true;
}

bool Canvas::pinched(QNativeGestureEvent* event)
{
    if (event->gestureType() != Qt::ZoomNativeGesture)
        return false;
    zoomAbout(event->position(), 1 + event->value());
    event->accept();
    return true;
}

void Canvas::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

void Canvas::wheelEvent(QWheelEvent* event)
{
    const bool isTouchpad = event->phase() != Qt::NoScrollPhase && !event->pixelDelta().isNull();
    if (isTouchpad && !(event->modifiers() & Qt::ControlModifier)) {
        m_motion.stop();
        if (!m_content->isEmpty() && m_zoom.tileSide > 0)
            setZoom(panned(geometryNow(), event->pixelDelta(), m_places));
    } else {
        const double notches = event->angleDelta().y() / kNotch;
        if (notches != 0)
            zoomAbout(event->position(), std::pow(kWheelFactor, notches));
    }
    event->accept();
}

bool Canvas::isPanButton(const QMouseEvent& event) const
{
    return event.button() == Qt::MiddleButton ||
           (event.button() == Qt::LeftButton && (event.modifiers() & Qt::AltModifier));
}

void Canvas::mousePressEvent(QMouseEvent* event)
{
    m_pressedAt = m_draggedTo = event->position();
    m_isPressOpen = false;
    if (isPanButton(*event)) {
        m_drag = Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        m_drag = Drag::Pressed;
    } else {
        QWidget::mousePressEvent(event);
    }
}

void Canvas::mouseMoveEvent(QMouseEvent* event)
{
    if (m_drag == Drag::None) {
        Q_EMIT cellHovered(cellAt(event->position()));
        return;
    }
    if (m_drag == Drag::Pressed) {
        if ((event->position() - m_pressedAt).manhattanLength() < QApplication::startDragDistance())
            return;
        // Where one tile fills the view there is nothing to select with a band.
        const bool isInside = geometryNow().zoom().tileSide > std::min(width(), height());
        m_drag = isInside ? Drag::Pan : Drag::Band;
    }
    dragTo(event->position());
}

void Canvas::dragTo(QPointF view)
{
    if (m_drag == Drag::Pan && m_zoom.tileSide > 0) {
        m_motion.stop();
        setZoom(panned(geometryNow(), view - m_draggedTo, m_places));
    }
    m_draggedTo = view;
    update();
}

void Canvas::mouseReleaseEvent(QMouseEvent* event)
{
    const Drag drag = m_drag;
    m_drag = Drag::None;
    unsetCursor();
    if (drag == Drag::Band) {
        selectBand(event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier));
    } else if (drag == Drag::Pressed && !m_isPressOpen) {
        const auto head = headAt(m_pressedAt);
        if (!head)
            return;
        if (head->isMlp())
            return Q_EMIT headClicked(*head);
        Q_EMIT currentMoved(*head);
        const auto cell = event->modifiers() == Qt::ShiftModifier ? cellAt(m_pressedAt) : std::nullopt;
        if (cell && cellSide() >= kLeastCutCell)
            Q_EMIT cellCut(*cell);
        else if (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier))
            Q_EMIT selectionToggled(*head);
        else
            Q_EMIT headClicked(*head);
    }
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    mousePressEvent(event);
    if (event->button() != Qt::LeftButton || event->modifiers() != Qt::NoModifier)
        return;
    if (const auto head = headAt(event->position()); head && !head->isMlp()) {
        m_isPressOpen = true;
        Q_EMIT headDoubleClicked(*head);
    }
}

QRectF Canvas::band() const
{
    return QRectF(m_pressedAt, m_draggedTo).normalized();
}

void Canvas::selectBand(bool isAdding)
{
    const Geometry geometry = geometryNow();
    const QRect pixels(geometry.viewToPixel(band().topLeft()), geometry.viewToPixel(band().bottomRight()));
    std::set<HeadId> heads;
    for (int index = 0; index < m_places.count(); ++index)
        if (geometry.tile(m_places.place(index)).intersects(pixels))
            heads.insert(m_content->heads[static_cast<std::size_t>(index)]);
    update();
    Q_EMIT bandSelected(heads, isAdding);
}

void Canvas::leaveEvent(QEvent*)
{
    Q_EMIT cellHovered(std::nullopt);
}

void Canvas::keyPressEvent(QKeyEvent* event)
{
    const bool isPlain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (!isPlain)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: return moveCurrent({-1, 0});
    case Qt::Key_Right: return moveCurrent({1, 0});
    case Qt::Key_Up: return moveCurrent({0, -1});
    case Qt::Key_Down: return moveCurrent({0, 1});
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomBy(kKeyFactor);
    case Qt::Key_Minus: return zoomBy(1 / kKeyFactor);
    case Qt::Key_0: return fit();
    case Qt::Key_1: return actualSize();
    case Qt::Key_L:
        if (m_marks.current)
            zoomToHeads(layerOf(*m_marks.current));
        return;
    case Qt::Key_B:
        if (m_marks.current)
            zoomToHeads(blockOf(*m_marks.current));
        return;
    case Qt::Key_S: return zoomToHeads(m_marks.selected);
    case Qt::Key_P: Q_EMIT pinRequested(); return;
    case Qt::Key_Escape: Q_EMIT releaseRequested(); return;
    case Qt::Key_F:
        if (!event->isAutoRepeat())
            setFlipped(true);
        return;
    case Qt::Key_Space:
        if (m_marks.current && !event->isAutoRepeat())
            Q_EMIT ablationRequested(*m_marks.current);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_marks.current)
            Q_EMIT openRequested(*m_marks.current);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

void Canvas::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_F && !event->isAutoRepeat())
        setFlipped(false);
    else
        QWidget::keyReleaseEvent(event);
}

void Canvas::setFlipped(bool isFlipped)
{
    if (isFlipped == m_isFlipped)
        return;
    m_isFlipped = isFlipped;
    Q_EMIT flipChanged(isFlipped);
}

void Canvas::moveCurrent(QPoint direction)
{
    if (m_content->isEmpty())
        return;
    const auto found = m_marks.current
                           ? std::find(m_content->heads.begin(), m_content->heads.end(), *m_marks.current)
                           : m_content->heads.end();
    if (found == m_content->heads.end()) {
        Q_EMIT currentMoved(m_content->heads.front());
        return reveal(m_content->heads.front());
    }
    const QRect all(0, 0, m_places.columns(), m_places.rows());
    QPoint place = m_places.place(static_cast<int>(found - m_content->heads.begin())) + direction;
    while (all.contains(place) && m_places.tileAtPlace(place) == render::GridLayout::kNoTile)
        place += direction;
    if (!all.contains(place))
        return;
    const HeadId head = m_content->heads[static_cast<std::size_t>(m_places.tileAtPlace(place))];
    Q_EMIT currentMoved(head);
    reveal(head);
}

void Canvas::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    Q_EMIT focusChanged();
}

void Canvas::focusOutEvent(QFocusEvent* event)
{
    setFlipped(false);
    QWidget::focusOutEvent(event);
    Q_EMIT focusChanged();
}

void Canvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Mouse) {
        const auto head = headAt(event->pos());
        Q_EMIT contextMenuWanted(event->globalPos(), head && head->isMlp() ? std::nullopt : head);
        return;
    }
    const QRectF tile = m_marks.current ? tileRect(*m_marks.current) : QRectF(rect());
    Q_EMIT contextMenuWanted(mapToGlobal(tile.center().toPoint()), m_marks.current);
}

}  // namespace hs::grid
