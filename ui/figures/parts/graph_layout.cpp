#include "figures/parts/graph_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace hs::figures {
namespace {

constexpr double kBowShare = 0.45;  // of an edge's height: its handles
constexpr double kLeastBow = 0.35;  // of a level's height
constexpr int kCurvePoints = 24;    // that a curve's distance is measured at

/// The column of a node: 0 is that of the biases, 1 that of the first token.
int columnOf(const ViewNode& node)
{
    return node.kind == features::GraphNode::Kind::Constant ? 0 : node.position + 1;
}

/// Nodes of the same column and level.
using Cells = std::map<std::pair<int, int>, std::vector<int>>;

Cells cellsOf(const GraphView& view)
{
    Cells cells;
    for (std::size_t index = 0; index < view.nodes.size(); ++index)
        cells[{columnOf(view.nodes[index]), levelOf(view.nodes[index], view.layers)}].push_back(
            static_cast<int>(index));
    for (auto& [cell, nodes] : cells)
        std::ranges::stable_sort(nodes, [&](int one, int other) {
            const ViewNode& a = view.nodes[static_cast<std::size_t>(one)];
            const ViewNode& b = view.nodes[static_cast<std::size_t>(other)];
            return a.kind != b.kind ? a.kind < b.kind : a.influence > b.influence;
        });
    return cells;
}

double rowWidth(const std::vector<int>& nodes, const std::vector<double>& widths)
{
    double sum = 0;
    for (const int node : nodes)
        sum += widths[static_cast<std::size_t>(node)];
    return sum;
}

/// The width that each column needs for its widest row. [column]
std::vector<double> columnWidths(const GraphView& view, const Cells& cells, const std::vector<double>& widths,
                                 const std::vector<double>& leastColumns)
{
    std::vector<double> wanted(static_cast<std::size_t>(view.tokens) + 1, 0);
    std::ranges::copy(leastColumns, wanted.begin() + 1);
    for (const auto& [cell, nodes] : cells) {
        double& width = wanted[static_cast<std::size_t>(cell.first)];
        width = std::max(width, rowWidth(nodes, widths));
    }
    return wanted;
}

}  // namespace

double NodeWishes::leastWidth(const GraphView& view) const
{
    const std::vector<double> wanted = columnWidths(view, cellsOf(view), bare, columns);
    return std::accumulate(wanted.begin(), wanted.end(), 0.0);
}

std::vector<double> NodeWishes::within(const GraphView& view, double width) const
{
    const Cells cells = cellsOf(view);
    std::vector<double> wanted = columnWidths(view, cells, bare, columns);
    double total = std::accumulate(wanted.begin(), wanted.end(), 0.0);
    std::vector<double> widths = bare;
    std::vector<std::size_t> order(view.nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t node) {
        return std::pair(view.nodes[node].isOwnName, view.nodes[node].influence);
    });
    for (const std::size_t node : order) {
        const ViewNode& drawn = view.nodes[node];
        double& column = wanted[static_cast<std::size_t>(columnOf(drawn))];
        const double row = rowWidth(cells.at({columnOf(drawn), levelOf(drawn, view.layers)}), widths) +
                           named[node] - bare[node];
        const double wider = std::max(0.0, row - column);
        if (row > column * std::min(1.0, width / total) && total + wider > width)
            continue;
        widths[node] = named[node];
        column += wider;
        total += wider;
    }
    return widths;
}

GraphLayout::GraphLayout(const GraphView& view, const QRectF& plot, const std::vector<double>& widths,
                         const std::vector<double>& leastColumns)
    : m_plot(plot), m_band(plot.height() / (view.layers + 2)), m_places(view.nodes.size()),
      m_rooms(view.nodes.size())
{
    const Cells cells = cellsOf(view);
    const std::vector<double> wanted = columnWidths(view, cells, widths, leastColumns);
    const double total = std::accumulate(wanted.begin(), wanted.end(), 0.0);
    const double scale = total > plot.width() ? plot.width() / total : 1;
    const double spare = scale < 1 ? 0 : (plot.width() - total) / std::max(1, view.tokens);
    double left = plot.left() + scale * wanted[0];
    for (int token = 0; token < view.tokens; ++token) {
        const double width = scale * wanted[static_cast<std::size_t>(token) + 1] + spare;
        m_columns.push_back({left, width});
        left += width;
    }
    for (const auto& [cell, nodes] : cells) {
        const double middle =
            cell.first == 0 ? plot.left() + scale * wanted[0] / 2 : column(cell.first - 1).center().x();
        // A row that fits into a column that had to shrink keeps its width.
        const double row = rowWidth(nodes, widths);
        const double share = std::min(1.0, scale * wanted[static_cast<std::size_t>(cell.first)] / row);
        double x = middle - share * row / 2;
        for (const int node : nodes) {
            const double room = share * widths[static_cast<std::size_t>(node)];
            m_rooms[static_cast<std::size_t>(node)] = room;
            m_places[static_cast<std::size_t>(node)] = {x + room / 2, levelAt(cell.second)};
            x += room;
        }
    }
}

QRectF GraphLayout::column(int position) const
{
    const Column& column = m_columns[static_cast<std::size_t>(position)];
    return {column.left, m_plot.top(), column.width, m_plot.height()};
}

double GraphLayout::levelAt(int level) const
{
    return m_plot.bottom() - (level + 0.5) * m_band;
}

GraphLayout::Curve GraphLayout::curve(const ViewEdge& edge) const
{
    const QPointF from = place(edge.source);
    const QPointF to = place(edge.target);
    const QPointF bow(0, -std::max(kBowShare * std::abs(from.y() - to.y()), kLeastBow * m_band));
    return {from, from + bow, to - bow, to};
}

QPainterPath GraphLayout::path(const ViewEdge& edge) const
{
    const Curve curve = this->curve(edge);
    QPainterPath path(curve.from);
    path.cubicTo(curve.fromHandle, curve.toHandle, curve.to);
    return path;
}

std::optional<int> GraphLayout::nodeAt(QPointF point, double reach) const
{
    std::optional<int> nearest;
    double least = reach;
    for (std::size_t node = 0; node < m_places.size(); ++node) {
        const QPointF away = point - m_places[node];
        // A wide node is met over its whole width.
        const double across = std::max(0.0, std::abs(away.x()) - std::max(0.0, m_rooms[node] / 2 - reach));
        const double distance = std::hypot(across, away.y());
        if (distance <= least) {
            least = distance;
            nearest = static_cast<int>(node);
        }
    }
    return nearest;
}

std::optional<int> GraphLayout::edgeAt(const std::vector<ViewEdge>& edges, std::size_t count, QPointF point,
                                       double reach) const
{
    for (std::size_t index = 0; index < std::min(count, edges.size()); ++index) {
        const Curve curve = this->curve(edges[index]);
        QPointF last = curve.from;
        for (int step = 1; step <= kCurvePoints; ++step) {
            const double t = static_cast<double>(step) / kCurvePoints, s = 1 - t;
            const QPointF next = s * s * s * curve.from + 3 * s * s * t * curve.fromHandle +
                                 3 * s * t * t * curve.toHandle + t * t * t * curve.to;
            const QPointF along = next - last;
            const double length = QPointF::dotProduct(along, along);
            const double share =
                length > 0 ? std::clamp(QPointF::dotProduct(point - last, along) / length, 0.0, 1.0) : 0;
            const QPointF away = point - last - share * along;
            if (std::hypot(away.x(), away.y()) <= reach)
                return static_cast<int>(index);
            last = next;
        }
    }
    return std::nullopt;
}

}  // namespace hs::figures
