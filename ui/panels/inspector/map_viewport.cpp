#include "panels/inspector/map_viewport.h"

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr double kFewestCells = 4;

}  // namespace

void MapViewport::setSize(int queries, int keys)
{
    if (queries == m_queries && keys == m_keys)
        return;
    m_queries = queries;
    m_keys = keys;
    fit();
}

double MapViewport::zoomOf(const QRectF& seen) const
{
    const double zoom = m_keys >= m_queries ? m_keys / seen.width() : m_queries / seen.height();
    return std::clamp(zoom, 1.0, std::max(1.0, longest() / kFewestCells));
}

QSizeF MapViewport::seenAt(double zoom) const
{
    const auto along = [zoom](double cells) { return std::max(cells / zoom, std::min(kFewestCells, cells)); };
    return {along(m_keys), along(m_queries)};
}

void MapViewport::setSeen(const QRectF& seen)
{
    if (isEmpty() || seen.isEmpty())
        return;
    const QSizeF size = seenAt(zoomOf(seen));
    m_seen = QRectF(QPointF(std::clamp(seen.x(), 0.0, m_keys - size.width()),
                            std::clamp(seen.y(), 0.0, m_queries - size.height())),
                    size);
}

QSizeF MapViewport::cellSize() const
{
    return m_seen.isEmpty() ? QSizeF(0, 0)
                            : QSizeF(m_place.width() / m_seen.width(), m_place.height() / m_seen.height());
}

QPointF MapViewport::toCells(QPointF pixel) const
{
    const QPointF offset = pixel - QPointF(m_place.topLeft());
    const QSizeF cell = cellSize();
    return m_seen.topLeft() + QPointF(offset.x() / cell.width(), offset.y() / cell.height());
}

std::optional<MapCell> MapViewport::cellAt(QPointF pixel) const
{
    const QRectF place(m_place);
    const bool isInside = pixel.x() >= place.left() && pixel.x() < place.right() &&
                          pixel.y() >= place.top() && pixel.y() < place.bottom();
    if (!isInside || cellSize().isEmpty())
        return std::nullopt;
    const QPointF cell = toCells(pixel);
    return MapCell{std::clamp(static_cast<int>(cell.y()), 0, m_queries - 1),
                   std::clamp(static_cast<int>(cell.x()), 0, m_keys - 1)};
}

QRectF MapViewport::rectOf(MapCell cell) const
{
    const QSizeF size = cellSize();
    const QPointF offset = QPointF(cell.key, cell.query) - m_seen.topLeft();
    return QRectF(QPointF(m_place.topLeft()) + QPointF(size.width() * offset.x(), size.height() * offset.y()),
                  size);
}

void MapViewport::fit()
{
    m_seen = QRectF(0, 0, m_keys, m_queries);
}

void MapViewport::zoomAt(QPointF pixel, double factor)
{
    if (cellSize().isEmpty())
        return;
    const QPointF anchor = toCells(pixel);
    const QRectF zoomed(QPointF(), m_seen.size() / factor);
    const QSizeF size = seenAt(zoomOf(zoomed));
    const QPointF before = anchor - m_seen.topLeft();
    setSeen(QRectF(anchor - QPointF(before.x() * size.width() / m_seen.width(),
                                    before.y() * size.height() / m_seen.height()),
                   size));
}

void MapViewport::panBy(QPointF pixels)
{
    if (const QSizeF cell = cellSize(); !cell.isEmpty())
        setSeen(m_seen.translated(-pixels.x() / cell.width(), -pixels.y() / cell.height()));
}

void MapViewport::reveal(MapCell cell)
{
    const auto moved = [](double first, double size, int position) {
        return std::clamp(first, position + 1 - size, static_cast<double>(position));
    };
    setSeen(QRectF(moved(m_seen.x(), m_seen.width(), cell.key),
                   moved(m_seen.y(), m_seen.height(), cell.query), m_seen.width(), m_seen.height()));
}

}  // namespace hs::panels
