#include "panels/inspector/map_viewport.h"

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr double kFewestCells = 4;

}  // namespace

void MapViewport::setTokens(int tokens)
{
    if (tokens == m_tokens)
        return;
    m_tokens = tokens;
    fit();
}

void MapViewport::setSeen(const QRectF& seen)
{
    const double most = m_tokens;
    const double side = std::clamp(seen.width(), std::min(kFewestCells, most), most);
    m_seen =
        QRectF(std::clamp(seen.x(), 0.0, most - side), std::clamp(seen.y(), 0.0, most - side), side, side);
}

double MapViewport::cellSide() const
{
    return m_seen.width() > 0 ? m_place.width() / m_seen.width() : 0;
}

QPointF MapViewport::toCells(QPointF pixel) const
{
    return m_seen.topLeft() + (pixel - QPointF(m_place.topLeft())) / cellSide();
}

std::optional<MapCell> MapViewport::cellAt(QPointF pixel) const
{
    const QRectF place(m_place);
    const bool isInside = pixel.x() >= place.left() && pixel.x() < place.right() &&
                          pixel.y() >= place.top() && pixel.y() < place.bottom();
    if (!isInside || cellSide() <= 0)
        return std::nullopt;
    const QPointF cell = toCells(pixel);
    return MapCell{std::clamp(static_cast<int>(cell.y()), 0, m_tokens - 1),
                   std::clamp(static_cast<int>(cell.x()), 0, m_tokens - 1)};
}

QRectF MapViewport::rectOf(MapCell cell) const
{
    const double side = cellSide();
    return QRectF(QPointF(m_place.topLeft()) + side * (QPointF(cell.key, cell.query) - m_seen.topLeft()),
                  QSizeF(side, side));
}

void MapViewport::fit()
{
    m_seen = QRectF(0, 0, m_tokens, m_tokens);
}

void MapViewport::zoomAt(QPointF pixel, double factor)
{
    if (cellSide() <= 0)
        return;
    const QPointF anchor = toCells(pixel);
    const double side =
        std::clamp(m_seen.width() / factor, std::min(kFewestCells, double(m_tokens)), double(m_tokens));
    const QPointF share = (anchor - m_seen.topLeft()) / m_seen.width();
    setSeen(QRectF(anchor - share * side, QSizeF(side, side)));
}

void MapViewport::panBy(QPointF pixels)
{
    if (cellSide() > 0)
        setSeen(m_seen.translated(-pixels / cellSide()));
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
