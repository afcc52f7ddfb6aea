#include "panels/analyses/flow/token_flow_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hs::panels {
namespace {

constexpr double kHandleShare = 0.3;  // of a layer's height: length of the vertical handles
constexpr double kSelfShare = 0.4;    // of a layer's height: length of a token's line to itself
constexpr int kPieces = 24;           // segments a curve is measured in

double distanceToPiece(QPointF point, QPointF from, QPointF to)
{
    const QPointF along = to - from;
    const double length = QPointF::dotProduct(along, along);
    const double share =
        length > 0 ? std::clamp(QPointF::dotProduct(point - from, along) / length, 0.0, 1.0) : 0;
    const QPointF apart = point - (from + share * along);
    return std::hypot(apart.x(), apart.y());
}

}  // namespace

FlowGeometry::FlowGeometry(const QRectF& plot, double foot, double head, int layers, int tokens)
    : m_plot(plot), m_foot(foot), m_head(head), m_layers(layers), m_tokens(tokens),
      m_step(tokens > 0 ? plot.width() / tokens : 0), m_band(layers > 0 ? plot.height() / layers : 0)
{
}

QPointF FlowGeometry::pass(int token, double level) const
{
    return {m_plot.left() + (token + 0.5) * m_step, m_plot.bottom() - level * m_band};
}

FlowGeometry::Curve FlowGeometry::curve(const FlowLine& line) const
{
    const QPointF from = pass(line.cell.key, line.layer);
    const QPointF to = pass(line.cell.query, line.layer + 1);
    if (line.cell.key == line.cell.query) {
        const QPointF inset = (to - from) * (0.5 - kSelfShare / 2);
        return {from + inset, from + inset, to - inset, to - inset};
    }
    const QPointF handle(0, kHandleShare * (to.y() - from.y()));
    return {from, from + handle, to - handle, to};
}

QPainterPath FlowGeometry::path(const FlowLine& line) const
{
    const Curve drawn = curve(line);
    QPainterPath path(drawn.from);
    path.cubicTo(drawn.fromHandle, drawn.toHandle, drawn.to);
    return path;
}

QRectF FlowGeometry::endRect(FlowEnd end) const
{
    const double left = m_plot.left() + end.token * m_step;
    return end.isTop ? QRectF(left, m_plot.top() - m_head, m_step, m_head)
                     : QRectF(left, m_plot.bottom(), m_step, m_foot);
}

double FlowGeometry::distance(const FlowLine& line, QPointF point) const
{
    const Curve drawn = curve(line);
    const auto at = [&drawn](double t) {
        const double s = 1 - t;
        return s * s * s * drawn.from + 3 * s * s * t * drawn.fromHandle + 3 * s * t * t * drawn.toHandle +
               t * t * t * drawn.to;
    };
    double least = std::numeric_limits<double>::infinity();
    QPointF before = drawn.from;
    for (int piece = 1; piece <= kPieces; ++piece) {
        const QPointF next = at(static_cast<double>(piece) / kPieces);
        least = std::min(least, distanceToPiece(point, before, next));
        before = next;
    }
    return least;
}

std::optional<std::size_t> FlowGeometry::lineAt(std::span<const FlowLine> lines, QPointF point) const
{
    if (m_band <= 0 || !m_plot.adjusted(-kReach, -kReach, kReach, kReach).contains(point))
        return std::nullopt;
    std::optional<std::size_t> nearest;
    double least = kReach;
    for (std::size_t index = 0; index < lines.size(); ++index) {
        const FlowLine& line = lines[index];
        const double top = pass(0, line.layer + 1).y() - kReach;
        const double bottom = pass(0, line.layer).y() + kReach;
        if (point.y() < top || point.y() > bottom)
            continue;
        const double apart = distance(line, point);
        if (apart < least) {
            least = apart;
            nearest = index;
        }
    }
    return nearest;
}

std::optional<FlowEnd> FlowGeometry::endAt(QPointF point) const
{
    if (m_step <= 0 || point.x() < m_plot.left() || point.x() >= m_plot.right())
        return std::nullopt;
    const int token = std::min(m_tokens - 1, static_cast<int>((point.x() - m_plot.left()) / m_step));
    const bool isTop = point.y() < m_plot.top() && point.y() >= m_plot.top() - m_head;
    const bool isBottom = point.y() > m_plot.bottom() && point.y() <= m_plot.bottom() + m_foot;
    return isTop || isBottom ? std::optional(FlowEnd{token, isTop}) : std::nullopt;
}

}  // namespace hs::panels
