#include "render/grid_layout.h"

#include <algorithm>
#include <cmath>

namespace hs::render {
namespace {

std::vector<int> sortedUnique(std::vector<int> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

int rankIn(const std::vector<int>& sorted, int number)
{
    return static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), number) - sorted.begin());
}

double extent(int tiles, const TileMetrics& metrics)
{
    return tiles > 0 ? tiles * metrics.step() - metrics.gap : 0;
}

}  // namespace

TileMetrics TileMetrics::forSide(double side)
{
    if (side < 16)
        return {side, side < 8 ? 1.0 : 2.0};
    return {side, std::clamp(std::round(0.09 * side), 3.0, 8.0)};
}

GridLayout GridLayout::wrapped(int count, int columns, TileMetrics metrics)
{
    const int perRow = std::max(1, columns);
    std::vector<QPoint> places;
    for (int index = 0; index < count; ++index)
        places.emplace_back(index % perRow, index / perRow);
    return GridLayout(std::move(places), metrics);
}

GridLayout GridLayout::matrix(std::span<const HeadId> heads, TileMetrics metrics)
{
    std::vector<int> layers;
    std::vector<int> numbers;
    for (const HeadId id : heads) {
        layers.push_back(id.layer);
        numbers.push_back(id.head);
    }
    layers = sortedUnique(std::move(layers));
    numbers = sortedUnique(std::move(numbers));
    std::vector<QPoint> places;
    for (const HeadId id : heads)
        places.emplace_back(rankIn(numbers, id.head), rankIn(layers, id.layer));
    return GridLayout(std::move(places), metrics);
}

GridLayout::GridLayout(std::vector<QPoint> places, TileMetrics metrics)
    : m_places(std::move(places)), m_metrics(metrics)
{
    for (const QPoint place : m_places) {
        m_columns = std::max(m_columns, place.x() + 1);
        m_rows = std::max(m_rows, place.y() + 1);
    }
    m_tileAt.assign(static_cast<std::size_t>(m_rows) * static_cast<std::size_t>(m_columns), kNoTile);
    for (int index = 0; index < count(); ++index) {
        const QPoint place = m_places[static_cast<std::size_t>(index)];
        m_tileAt[static_cast<std::size_t>(place.y() * m_columns + place.x())] = index;
    }
}

QSizeF GridLayout::size() const
{
    return {extent(m_columns, m_metrics), extent(m_rows, m_metrics)};
}

QRectF GridLayout::tile(int index) const
{
    const QPoint place = m_places[static_cast<std::size_t>(index)];
    return {place.x() * m_metrics.step(), place.y() * m_metrics.step(), m_metrics.side, m_metrics.side};
}

int GridLayout::tileAt(QPointF point) const
{
    const double column = std::floor(point.x() / m_metrics.step());
    const double row = std::floor(point.y() / m_metrics.step());
    if (!(column >= 0 && column < m_columns && row >= 0 && row < m_rows))
        return kNoTile;
    const bool isInGap = point.x() - column * m_metrics.step() >= m_metrics.side ||
                         point.y() - row * m_metrics.step() >= m_metrics.side;
    if (isInGap)
        return kNoTile;
    return tileAtPlace(QPoint(static_cast<int>(column), static_cast<int>(row)));
}

int GridLayout::tileAtPlace(QPoint place) const
{
    if (place.x() < 0 || place.x() >= m_columns || place.y() < 0 || place.y() >= m_rows)
        return kNoTile;
    return m_tileAt[static_cast<std::size_t>(place.y()) * static_cast<std::size_t>(m_columns) +
                    static_cast<std::size_t>(place.x())];
}

}  // namespace hs::render
