#include "render/grid_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

/// The last place of those before the next slim tile's room.
int lastBefore(int place, int toMlp)
{
    return toMlp > 0 ? place - place % toMlp + toMlp - 1 : place;
}

}  // namespace

TileMetrics TileMetrics::forSide(double side)
{
    if (side < 16)
        return {side, side < 8 ? 1.0 : 2.0, {0, 0}};
    return {side, std::clamp(std::round(0.09 * side), 3.0, 8.0), {0, 0}};
}

HeadCounts HeadCounts::of(std::span<const HeadId> heads)
{
    HeadCounts counts{
        {static_cast<int>(layersIn(heads).size()), static_cast<int>(headNumbersIn(heads).size()), 0},
        static_cast<int>(heads.size())};
    if (!std::ranges::is_sorted(heads, {}, &HeadId::layer))
        return counts;
    for (int index = 1; index <= counts.all; ++index)
        if (const auto next = static_cast<std::size_t>(index);
            index == counts.all || heads[next].layer != heads[next - 1].layer)
            counts.inLayer = std::gcd(counts.inLayer, index);
    return counts;
}

GridShape GridShape::of(const TileFlow& flow, const HeadCounts& heads)
{
    if (heads.all == 0)
        return {0, 0, {1, 1}};
    if (flow.kind == TileFlow::Kind::Wrapped) {
        const int columns = std::clamp(flow.count, 1, heads.all);
        const int rows = dividedUp(heads.all, columns);
        const bool hasMlps = flow.hasMlps && heads.inLayer > 0;
        return {columns, rows, {columns, rows}, {hasMlps ? std::gcd(heads.inLayer, columns) : 0, 0}};
    }
    const HeadShape& numbers = heads.numbers;
    const int inBlock = dividedUp(numbers.layers, std::clamp(flow.count, 1, numbers.layers));
    const int blocks = dividedUp(numbers.layers, inBlock);
    const int toMlp = flow.hasMlps ? numbers.heads : 0;
    return flow.kind == TileFlow::Kind::LayersDown
               ? GridShape{blocks * numbers.heads, inBlock, {numbers.heads, inBlock}, {toMlp, 0}}
               : GridShape{inBlock, blocks * numbers.heads, {inBlock, numbers.heads}, {0, toMlp}};
}

QSize GridShape::blocks() const
{
    return {dividedUp(columns, block.width()), dividedUp(rows, block.height())};
}

GridLayout::GridLayout(std::vector<HeadId> heads, const TileFlow& flow, const TileMetrics& metrics)
    : m_heads(std::move(heads)), m_flow(flow), m_metrics(metrics)
{
    const std::vector<int> layers = layersIn(m_heads);
    const std::vector<int> numbers = headNumbersIn(m_heads);
    const HeadCounts counts = HeadCounts::of(m_heads);
    const HeadShape& occurring = counts.numbers;
    m_shape = GridShape::of(flow, counts);
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
    if (m_shape.toMlp.isNull())
        return;
    m_mlps.resize(layers.size());
    for (int index = 0; index < count(); ++index) {
        const auto layer =
            static_cast<std::size_t>(rankIn(layers, m_heads[static_cast<std::size_t>(index)].layer));
        const QPoint last = place(index);
        m_mlps[layer] = {
            index,
            {lastBefore(last.x(), m_shape.toMlp.width()), lastBefore(last.y(), m_shape.toMlp.height())}};
    }
}

QPointF GridLayout::corner(QPoint place) const
{
    const auto along = [&](int at, int inBlock, double blockGap, int toMlp) {
        const int mlps = toMlp > 0 ? at / toMlp : 0;
        return at * m_metrics.step() + at / inBlock * blockGap + mlps * m_metrics.mlp;
    };
    return {along(place.x(), m_shape.block.width(), m_metrics.blockGap.width(), m_shape.toMlp.width()),
            along(place.y(), m_shape.block.height(), m_metrics.blockGap.height(), m_shape.toMlp.height())};
}

QSizeF GridLayout::size() const
{
    if (m_heads.empty())
        return {0, 0};
    const QPointF last = corner({columns() - 1, rows() - 1});
    return {last.x() + m_metrics.side + (m_shape.toMlp.width() > 0 ? m_metrics.mlp : 0),
            last.y() + m_metrics.side + (m_shape.toMlp.height() > 0 ? m_metrics.mlp : 0)};
}

QRectF GridLayout::mlpTile(const Mlp& mlp) const
{
    const bool isAcross = m_shape.toMlp.width() > 0;
    const double width = m_metrics.mlp - m_metrics.gap;
    return {corner(mlp.place) + (isAcross ? QPointF(m_metrics.step(), 0) : QPointF(0, m_metrics.step())),
            isAcross ? QSizeF(width, m_metrics.side) : QSizeF(m_metrics.side, width)};
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
