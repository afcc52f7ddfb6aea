#include "panels/inspector/head_plot.h"

#include "panels/inspector/map_canvas.h"
#include "panels/inspector/map_overlay.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QStyleHints>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr int kTop = 9;  // half the height of a number at the colour bar
constexpr double kKeyZoom = 1.5;
constexpr double kLongestMap = 3;  // times as high as wide, or as wide as high

}  // namespace

HeadPlot::HeadPlot(QWidget* parent)
    : QWidget(parent), m_canvas(new MapCanvas(this)), m_overlay(new MapOverlay(this))
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Map of one head"));
    setAccessibleDescription(tr("Arrow keys move the cell, Enter pins it, X cuts it, plus and minus zoom."));
}

void HeadPlot::setMap(const HeadMap& map, const MapColours& colours)
{
    m_canvas->setMap(map, colours);
    m_view.setSize(map.pattern.queries, map.pattern.keys);
    place();
}

void HeadPlot::setTokens(const AxisLabels& labels)
{
    m_overlay->setLabels(labels);
    place();
}

void HeadPlot::setDimmed(bool isDimmed)
{
    m_canvas->setDimmed(isDimmed);
}

void HeadPlot::setMarks(std::optional<text::TokenSpan> query, std::optional<text::TokenSpan> key)
{
    m_overlay->setMarks(query, key);
}

void HeadPlot::setEdited(const QList<QRectF>& cells)
{
    m_overlay->setEdited(cells);
}

void HeadPlot::setSeen(const QRectF& seen)
{
    MapViewport view = m_view;
    view.setSeen(seen);
    if (view.seen() == m_view.seen())
        return;
    m_view = view;
    m_canvas->setView(m_view);
    m_overlay->setView(m_view);
}

int HeadPlot::heightFor(int width) const
{
    const QMargins labels = m_overlay->labelRoom({width, width});
    const int room = width - labels.left() - MapCanvas::kBarRoom;
    return mapSize({room, room}).height() + kTop + labels.bottom();
}

QSize HeadPlot::mapSize(QSize room) const
{
    const double shape = m_view.isEmpty() ? 1 : double(m_view.queries()) / m_view.keys();
    const double limited = std::clamp(shape, 1 / kLongestMap, kLongestMap);
    const double across = std::min<double>(room.width(), room.height() / limited);
    return QSize(static_cast<int>(across), static_cast<int>(std::lround(across * limited)))
        .expandedTo({1, 1});
}

/// Leaves room for the labels and the bar; a whole number of pixels per cell if cells are so large that this
/// costs little.
void HeadPlot::place()
{
    const QMargins labels = m_overlay->labelRoom(size());
    const int besides = labels.left() + MapCanvas::kBarRoom;
    QSize map = mapSize({width() - besides, height() - kTop - labels.bottom()});
    const auto whole = [](int side, int cells) {
        return cells > 0 && side / cells >= 4 ? side - side % cells : side;
    };
    map = {whole(map.width(), m_view.keys()), whole(map.height(), m_view.queries())};
    const QPoint corner(labels.left() + std::max(0, width() - besides - map.width()) / 2, kTop);
    m_view.setPlace(QRect(corner, map));
    m_canvas->setGeometry(rect());
    m_overlay->setGeometry(rect());
    m_canvas->setView(m_view);
    m_overlay->setView(m_view);
}

void HeadPlot::setView(const MapViewport& view)
{
    if (view.seen() == m_view.seen())
        return;
    setSeen(view.seen());
    Q_EMIT seenChanged(m_view.seen());
}

void HeadPlot::zoom(QPointF at, double factor)
{
    MapViewport view = m_view;
    view.zoomAt(at, factor);
    setView(view);
}

void HeadPlot::moveCell(int queries, int keys)
{
    if (m_view.isEmpty())
        return;
    const int last = m_view.queries() - 1;
    const std::optional<text::TokenSpan> query = m_overlay->markedQuery();
    const std::optional<text::TokenSpan> key = m_overlay->markedKey();
    MapCell cell = m_cell.value_or(MapCell{query.value_or(last).first, key.value_or(0).first});
    if (m_cell || query || key)
        cell = {cell.query + queries, cell.key + keys};
    m_cell = MapCell{std::clamp(cell.query, 0, last), std::clamp(cell.key, 0, m_view.keys() - 1)};
    MapViewport view = m_view;
    view.reveal(*m_cell);
    setView(view);
    Q_EMIT cellHovered(*m_cell);
}

void HeadPlot::resizeEvent(QResizeEvent*)
{
    place();
}

void HeadPlot::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange)
        place();
    QWidget::changeEvent(event);
}

std::optional<text::TokenSpan> HeadPlot::spanOf(const PositionRange& range)
{
    return range.last ? std::optional(text::TokenSpan{range.first, *range.last}) : std::nullopt;
}

CellBlock HeadPlot::blockOf(MapCell from, MapCell to, Qt::KeyboardModifiers modifiers)
{
    const auto [query, lastQuery] = std::minmax(from.query, to.query);
    const auto [key, lastKey] = std::minmax(from.key, to.key);
    CellBlock block{{query, lastQuery}, {key, lastKey}};
    if (modifiers & Qt::ControlModifier)
        block.queries = {};
    else if (modifiers & Qt::AltModifier)
        block.keys = {};
    return block;
}

void HeadPlot::mouseMoveEvent(QMouseEvent* event)
{
    if (m_cutFrom) {
        if (const std::optional<MapCell> cell = m_view.cellAt(event->position())) {
            const CellBlock block = blockOf(*m_cutFrom, *cell, event->modifiers());
            setMarks(spanOf(block.queries), spanOf(block.keys));
        }
        return;
    }
    if (m_pressed) {
        const double distance = (event->position() - *m_pressed).manhattanLength();
        m_isDragging = m_isDragging || distance >= QGuiApplication::styleHints()->startDragDistance();
        if (m_isDragging) {
            MapViewport view = m_view;
            view.panBy(event->position() - m_draggedTo);
            m_draggedTo = event->position();
            setView(view);
            return;
        }
    }
    const std::optional<MapCell> cell = m_view.cellAt(event->position());
    if (cell == m_cell)
        return;
    m_cell = cell;
    if (cell)
        Q_EMIT cellHovered(*cell);
    else
        Q_EMIT hoverLeft();
}

void HeadPlot::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    if (event->modifiers() & Qt::ShiftModifier) {
        m_cutFrom = m_view.cellAt(event->position());
        return;
    }
    m_pressed = event->position();
    m_draggedTo = event->position();
    m_isDragging = false;
}

void HeadPlot::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_cutFrom) {
        const MapCell from = *m_cutFrom;
        m_cutFrom.reset();
        if (const std::optional<MapCell> to = m_view.cellAt(event->position()))
            Q_EMIT blockCut(blockOf(from, *to, event->modifiers()));
        return;
    }
    if (event->button() != Qt::LeftButton || !m_pressed)
        return QWidget::mouseReleaseEvent(event);
    const std::optional<MapCell> cell = m_view.cellAt(*m_pressed);
    const bool isClick = !m_isDragging;
    m_pressed.reset();
    m_isDragging = false;
    if (isClick && cell)
        Q_EMIT cellPicked(*cell);
}

void HeadPlot::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    if (m_view.cellAt(event->position()))
        Q_EMIT pickTakenBack();
    MapViewport view = m_view;
    view.fit();
    setView(view);
}

void HeadPlot::wheelEvent(QWheelEvent* event)
{
    if (!m_view.cellAt(event->position()))
        return event->ignore();
    zoom(event->position(), std::pow(1.2, event->angleDelta().y() / 120.0));
    event->accept();
}

void HeadPlot::leaveEvent(QEvent*)
{
    if (!m_cell)
        return;
    m_cell.reset();
    Q_EMIT hoverLeft();
}

void HeadPlot::keyPressEvent(QKeyEvent* event)
{
    const QPointF middle = m_cell ? m_view.rectOf(*m_cell).center() : QRectF(m_view.place()).center();
    switch (event->key()) {
    case Qt::Key_Up: return moveCell(-1, 0);
    case Qt::Key_Down: return moveCell(1, 0);
    case Qt::Key_Left: return moveCell(0, -1);
    case Qt::Key_Right: return moveCell(0, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(middle, kKeyZoom);
    case Qt::Key_Minus: return zoom(middle, 1 / kKeyZoom);
    case Qt::Key_0: return zoom(middle, 1.0 / std::max(1, m_view.longest()));
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_cell)
            Q_EMIT cellPicked(*m_cell);
        return;
    case Qt::Key_X:
        if (m_cell)
            Q_EMIT blockCut(blockOf(*m_cell, *m_cell, event->modifiers()));
        return;
    case Qt::Key_Escape:
        m_cell.reset();
        Q_EMIT releaseRequested();
        return;
    default: QWidget::keyPressEvent(event);
    }
}

void HeadPlot::focusInEvent(QFocusEvent*)
{
    m_overlay->setFocusShown(true);
}

void HeadPlot::focusOutEvent(QFocusEvent*)
{
    m_overlay->setFocusShown(false);
}

}  // namespace hs::panels
