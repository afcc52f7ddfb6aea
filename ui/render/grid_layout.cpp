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

std::vector<int> layersIn(std::span<const HeadId> heads)
{
    std::vector<int> layers;
    for (const HeadId id : heads)
        layers.push_back(id.layer);
    return sortedUnique(std::move(layers));
}

std::vector<int> headNumbersIn(std::span<const HeadId> heads)
{
    std::vector<int> numbers;
    for (const HeadId id : heads)
        numbers.push_back(id.head);
    return sortedUnique(std::move(numbers));
}

int rankIn(const std::vector<int>& sorted, int number)
{
    return static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), number) - sorted.begin());
}

int dividedUp(int value, int divisor)
{
    return (value + divisor - 1) / divisor;
}

/// One of a head's two numbers.
QString headingOf(HeadId head, bool isLayer)
{
    return isLayer ? QStringLiteral("L%1").arg(head.layer) : QStringLiteral("H%1").arg(head.head);
}

}  // namespace

TileMetrics TileMetrics::forSide(double side)
{
    if (side < 16)
        return {side, side < 8 ? 1.0 : 2.0, {0, 0}};
    return {side, std::clamp(std::round(0.09 * side), 3.0, 8.0), {0, 0}};
}

GridShape GridShape::of(const TileFlow& flow, const HeadShape& numbers, int count)
{
    if (count == 0)
        return {0, 0, {1, 1}};
    if (flow.kind == TileFlow::Kind::Wrapped) {
        const int columns = std::clamp(flow.count, 1, count);
        const int rows = dividedUp(count, columns);
        return {columns, rows, {columns, rows}};
    }
    const int inBlock = dividedUp(numbers.layers, std::clamp(flow.count, 1, numbers.layers));
    const int blocks = dividedUp(numbers.layers, inBlock);
    const int mlps = flow.hasMlps ? 1 : 0;
    return flow.kind == TileFlow::Kind::LayersDown
               ? GridShape{blocks * numbers.heads, inBlock, {numbers.heads, inBlock}, {mlps, 0}}
               : GridShape{inBlock, blocks * numbers.heads, {inBlock, numbers.heads}, {0, mlps}};
}

QSize GridShape::blocks() const
{
    return {dividedUp(columns, block.width()), dividedUp(rows, block.height())};
}

HeadShape numbersIn(std::span<const HeadId> heads)
{
    return {static_cast<int>(layersIn(heads).size()), static_cast<int>(headNumbersIn(heads).size()), 0};
}

GridLayout::GridLayout(std::vector<HeadId> heads, const TileFlow& flow, const TileMetrics& metrics)
    : m_heads(std::move(heads)), m_flow(flow), m_metrics(metrics)
{
    const std::vector<int> layers = layersIn(m_heads);
    const std::vector<int> numbers = headNumbersIn(m_heads);
    const HeadShape occurring{static_cast<int>(layers.size()), static_cast<int>(numbers.size()), 0};
    m_shape = GridShape::of(flow, occurring, static_cast<int>(m_heads.size()));
    if (!m_heads.empty())
        m_numbers = {layers.back() + 1, numbers.back() + 1, 0};
    m_tileAt.assign(static_cast<std::size_t>(m_shape.rows) * static_cast<std::size_t>(m_shape.columns),
                    kNoTile);
    for (int index = 0; index < static_cast<int>(m_heads.size()); ++index) {
        const HeadId id = m_heads[static_cast<std::size_t>(index)];
        const int layer = rankIn(layers, id.layer);
        const int head = rankIn(numbers, id.head);
        QPoint place;
        switch (flow.kind) {
        case TileFlow::Kind::LayersDown:
            place = {layer / m_shape.rows * occurring.heads + head, layer % m_shape.rows};
            break;
        case TileFlow::Kind::LayersAcross:
            place = {layer % m_shape.columns, layer / m_shape.columns * occurring.heads + head};
            break;
        case TileFlow::Kind::Wrapped: place = {index % m_shape.columns, index / m_shape.columns}; break;
        }
        m_places.push_back(place);
        m_tileAt[static_cast<std::size_t>(place.y() * m_shape.columns + place.x())] = index;
    }
}

QPointF GridLayout::corner(QPoint place) const
{
    return {place.x() * m_metrics.step() + place.x() / m_shape.block.width() * m_metrics.blockGap.width(),
            place.y() * m_metrics.step() + place.y() / m_shape.block.height() * m_metrics.blockGap.height()};
}

QSizeF GridLayout::size() const
{
    if (m_heads.empty())
        return {0, 0};
    const QPointF last = corner({columns() - 1, rows() - 1});
    return {last.x() + m_metrics.side, last.y() + m_metrics.side};
}

QRectF GridLayout::tile(int index) const
{
    return {corner(place(index)), QSizeF(m_metrics.side, m_metrics.side)};
}

int GridLayout::tileAtPlace(QPoint place) const
{
    if (place.x() < 0 || place.x() >= columns() || place.y() < 0 || place.y() >= rows())
        return kNoTile;
    return m_tileAt[static_cast<std::size_t>(place.y()) * static_cast<std::size_t>(columns()) +
                    static_cast<std::size_t>(place.x())];
}

std::optional<int> GridLayout::layerAt(QPoint place) const
{
    if (m_flow.kind == TileFlow::Kind::Wrapped)
        return std::nullopt;
    const bool isRow = m_flow.kind == TileFlow::Kind::LayersDown;
    const QPoint step = isRow ? QPoint(1, 0) : QPoint(0, 1);
    const int length = isRow ? m_shape.block.width() : m_shape.block.height();
    const int along = isRow ? place.x() : place.y();
    QPoint each = place - along % length * step;
    for (int index = 0; index < length; ++index, each += step)
        if (const int tile = tileAtPlace(each); tile != kNoTile)
            return m_heads[static_cast<std::size_t>(tile)].layer;
    return std::nullopt;
}

QString GridLayout::rowHeading(int row, int blockAcross) const
{
    const int first = blockAcross * m_shape.block.width();
    for (int column = first; column < std::min(first + m_shape.block.width(), columns()); ++column)
        if (const int index = tileAtPlace({column, row}); index != kNoTile) {
            const HeadId head = m_heads[static_cast<std::size_t>(index)];
            return m_flow.kind == TileFlow::Kind::Wrapped
                       ? QString::fromStdString(toString(head))
                       : headingOf(head, m_flow.kind == TileFlow::Kind::LayersDown);
        }
    return {};
}

QString GridLayout::columnHeading(int column, int blockDown) const
{
    if (m_flow.kind == TileFlow::Kind::Wrapped)
        return {};
    const int first = blockDown * m_shape.block.height();
    for (int row = first; row < std::min(first + m_shape.block.height(), rows()); ++row)
        if (const int index = tileAtPlace({column, row}); index != kNoTile)
            return headingOf(m_heads[static_cast<std::size_t>(index)],
                             m_flow.kind == TileFlow::Kind::LayersAcross);
    return {};
}

}  // namespace hs::render
