#include "panels/analyses/scatter/correlation_geometry.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hs::panels {
namespace {

constexpr double kLargestCell = 44;
constexpr double kMatrixGap = 5;  // between names and cells

}  // namespace

CorrelationGeometry::CorrelationGeometry(QSizeF size, int count, double names, double lineHeight)
    : m_count(count), m_names(names), m_line(lineHeight)
{
    if (count <= 0)
        return;
    const auto fitting = [&](double above) {
        const double side = std::min(size.width() - names - kMatrixGap, size.height() - above - kMatrixGap);
        const double cell = std::min(kLargestCell, side / count);
        return std::max(0.0, cell >= 2 ? std::floor(cell) : cell);
    };
    m_above = lineHeight;
    m_cell = fitting(m_above);
    if (!isUpright())
        return;
    m_above = names;
    m_cell = std::min(m_cell, fitting(m_above));
}

QRectF CorrelationGeometry::matrix() const
{
    return {m_names + kMatrixGap, m_above + kMatrixGap, m_count * m_cell, m_count * m_cell};
}

QRectF CorrelationGeometry::rectOf(MatrixPlace place) const
{
    return {matrix().left() + place.column * m_cell, matrix().top() + place.row * m_cell, m_cell, m_cell};
}

QRectF CorrelationGeometry::frameOf(const MatrixCluster& cluster) const
{
    return rectOf({cluster.first, cluster.first}) | rectOf({cluster.last, cluster.last});
}

QRectF CorrelationGeometry::rowName(int row) const
{
    const double middle = rectOf({row, 0}).center().y();
    const double height = std::max(m_cell, m_line);
    return {0, middle - height / 2, m_names, height};
}

QRectF CorrelationGeometry::columnName(int column) const
{
    const double middle = rectOf({0, column}).center().x();
    const double width = isUpright() ? std::max(m_cell, m_line) : m_cell;
    return {middle - width / 2, 0, width, m_above};
}

int CorrelationGeometry::stride() const
{
    return m_cell > 0 ? std::max(1, static_cast<int>(std::ceil(0.9 * m_line / m_cell))) : 1;
}

std::optional<MatrixPlace> CorrelationGeometry::placeAt(QPointF point) const
{
    const QRectF cells = matrix();
    if (m_cell <= 0 || point.x() < cells.left() || point.y() < cells.top())
        return std::nullopt;
    const MatrixPlace place{static_cast<int>((point.y() - cells.top()) / m_cell),
                            static_cast<int>((point.x() - cells.left()) / m_cell)};
    return place.row < m_count && place.column < m_count ? std::optional(place) : std::nullopt;
}

std::optional<int> CorrelationGeometry::nameAt(QPointF point) const
{
    const QRectF cells = matrix();
    const bool isRow = point.x() >= 0 && point.x() < m_names;
    const bool isColumn = point.y() >= 0 && point.y() < m_above;
    if (m_cell <= 0 || isRow == isColumn)
        return std::nullopt;
    const double along = isRow ? point.y() - cells.top() : point.x() - cells.left();
    const int index = static_cast<int>(std::floor(along / m_cell));
    return index >= 0 && index < m_count ? std::optional(index) : std::nullopt;
}

std::vector<std::size_t> clusteredOrder(const stats::HeadScatter& scatter)
{
    std::vector<std::size_t> order(scatter.heads.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (scatter.clusters.size() == order.size())
        std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
            return scatter.clusters[one] < scatter.clusters[other];
        });
    return order;
}

std::vector<MatrixCluster> clusterPlaces(const stats::HeadScatter& scatter,
                                         const std::vector<std::size_t>& order)
{
    std::vector<MatrixCluster> places;
    if (scatter.clusters.size() != order.size())
        return places;
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first;
        while (last + 1 < order.size() && scatter.clusters[order[last + 1]] == scatter.clusters[order[first]])
            ++last;
        if (last > first)
            places.push_back({static_cast<int>(first), static_cast<int>(last)});
        first = last + 1;
    }
    return places;
}

}  // namespace hs::panels
