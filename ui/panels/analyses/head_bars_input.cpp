#include "panels/analyses/head_bars.h"
#include "panels/widgets/custom_plot.h"
#include "panels/widgets/panel_style.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace hs::panels {

QRectF HeadBars::stripOf(Side side, int rank) const
{
    if (rank < m_first || rank >= m_first + room() || rank >= static_cast<int>(bars(side).size()))
        return {};
    const QCPAxisRect& rect = *part(side).rect;
    const QCPAxis& axis = *rect.axis(QCPAxis::atBottom);
    const double left = axis.coordToPixel(rank - 0.5), right = axis.coordToPixel(rank + 0.5);
    const QPoint corner = plot().pos();
    return QRectF(left + corner.x(), rect.top() + corner.y(), right - left, rect.height());
}

/// The bar at a position, which may be anywhere in its strip or on its name below.
std::optional<HeadBars::Place> HeadBars::placeAt(QPointF position) const
{
    const QPointF inPlot = position - plot().pos();
    for (const Side side : kSides) {
        const QCPAxisRect& rect = *part(side).rect;
        if (!isShown(side) || !QRectF(rect.outerRect()).contains(inPlot) || inPlot.x() < rect.left() ||
            inPlot.x() > rect.right())
            continue;
        const int rank =
            static_cast<int>(std::lround(rect.axis(QCPAxis::atBottom)->pixelToCoord(inPlot.x())));
        if (rank >= m_first && rank < static_cast<int>(bars(side).size()))
            return Place{side, rank};
    }
    return std::nullopt;
}

QString HeadBars::tipOf(Place place) const
{
    const HeadBar& bar = bars(place.side)[static_cast<std::size_t>(place.rank)];
    const QString first =
        tr("%1, rank %2: %3 %4")
            .arg(bar.name, QString::number(place.rank + 1), m_what, formatNumber(bar.value));
    return bar.detail.isEmpty() ? first : first + QLatin1Char('\n') + bar.detail;
}

void HeadBars::setCurrent(std::optional<Place> place)
{
    if (place == m_current)
        return;
    m_current = place;
    refill();
    if (!place) {
        Q_EMIT hoverLeft();
        return;
    }
    setAccessibleDescription(tipOf(*place));
    Q_EMIT hovered(place->side, place->rank);
}

void HeadBars::step(int ranks)
{
    const Side first = isShown(Side::Left) ? Side::Left : Side::Right;
    const Place now = m_current.value_or(Place{first, ranks > 0 ? m_first - 1 : m_first + 1});
    const int last = static_cast<int>(bars(now.side).size()) - 1;
    if (last < 0)
        return;
    const int rank = std::clamp(now.rank + ranks, 0, last);
    if (rank < m_first)
        showFrom(rank);
    else if (rank >= m_first + room())
        showFrom(rank - room() + 1);
    setCurrent(Place{now.side, rank});
}

void HeadBars::changeSide()
{
    if (!m_current || !isShown(otherSide(m_current->side)))
        return;
    const Side other = otherSide(m_current->side);
    setCurrent(Place{other, std::min(m_current->rank, static_cast<int>(bars(other).size()) - 1)});
    step(0);
}

void HeadBars::mouseMoveEvent(QMouseEvent* event)
{
    setCurrent(placeAt(event->position()));
    showTip(event->position().toPoint(), m_current ? tipOf(*m_current) : QString());
}

void HeadBars::mousePressEvent(QMouseEvent* event)
{
    const auto place = placeAt(event->position());
    if (event->button() != Qt::LeftButton || !place)
        return PlotFrame::mousePressEvent(event);
    setCurrent(place);
    Q_EMIT picked(place->side, place->rank, event->modifiers());
}

void HeadBars::wheelEvent(QWheelEvent* event)
{
    if (longest() <= room())
        return event->ignore();
    const QPoint turned = event->angleDelta();
    const int most = std::abs(turned.x()) > std::abs(turned.y()) ? turned.x() : turned.y();
    showFrom(m_first - static_cast<int>(std::lround(most / 40.0)));
    event->accept();
}

void HeadBars::leaveEvent(QEvent*)
{
    setCurrent(std::nullopt);
}

void HeadBars::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left: return step(-1);
    case Qt::Key_Right: return step(1);
    case Qt::Key_PageUp: return step(-room());
    case Qt::Key_PageDown: return step(room());
    case Qt::Key_Home: return step(-longest());
    case Qt::Key_End: return step(longest());
    case Qt::Key_Up:
    case Qt::Key_Down: return changeSide();
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current)
            Q_EMIT picked(m_current->side, m_current->rank, event->modifiers());
        return;
    case Qt::Key_Escape: return setCurrent(std::nullopt);
    default: PlotFrame::keyPressEvent(event);
    }
}

void HeadBars::focusOutEvent(QFocusEvent* event)
{
    if (!underMouse())
        setCurrent(std::nullopt);
    PlotFrame::focusOutEvent(event);
}

}  // namespace hs::panels
