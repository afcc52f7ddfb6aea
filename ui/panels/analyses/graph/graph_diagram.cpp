#include "panels/analyses/graph/graph_diagram.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hs::panels {
namespace {

constexpr double kGraphDimming = 0.45;
constexpr double kGraphBehind = 0.15;  // opacity of edges behind those that stand out
constexpr double kNodeReach = 7;       // pixels
constexpr double kEdgeReach = 3;
constexpr double kAside = 2.5;  // how much farther a step to the side seems than one ahead

bool isSame(const figures::ViewEdge& one, const figures::ViewEdge& other)
{
    return one.source == other.source && one.target == other.target;
}

}  // namespace

GraphDiagram::GraphDiagram(Side side, QWidget* parent) : QWidget(parent)
{
    setAccessibleName(side == Side::Left ? tr("Features of the left model")
                                         : tr("Features of the right model"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void GraphDiagram::setGraph(ShownGraph shown)
{
    m_shown = std::move(shown);
    m_marked.clear();
    m_edges.clear();
    place();
    pointAt(std::nullopt, std::nullopt);
}

void GraphDiagram::setDimmed(bool isDimmed)
{
    m_isDimmed = isDimmed;
    update();
}

void GraphDiagram::setMarks(const std::vector<int>& nodes, std::vector<figures::ViewEdge> edges)
{
    m_marked = {nodes.begin(), nodes.end()};
    m_edges = std::move(edges);
    update();
}

std::optional<figures::ViewEdge> GraphDiagram::pointedEdge() const
{
    return m_edge ? std::optional(m_shown.view.edges[static_cast<std::size_t>(*m_edge)]) : std::nullopt;
}

void GraphDiagram::place()
{
    if (m_shown.found)
        m_layout = GraphPainter(palette(), font()).fit(QSizeF(size()), m_shown);
    update();
}

bool GraphDiagram::standsOut(const figures::ViewEdge& edge) const
{
    if (m_node)
        return edge.source == *m_node || edge.target == *m_node;
    if (const auto pointed = pointedEdge())
        return isSame(edge, *pointed);
    if (!m_edges.empty())
        return std::ranges::any_of(m_edges, [&](const auto& marked) { return isSame(edge, marked); });
    return m_marked.contains(edge.source) || m_marked.contains(edge.target);
}

void GraphDiagram::draw(QPainter& painter, const QPalette& inks) const
{
    if (!m_shown.found)
        return;
    const GraphPainter look(inks, font());
    const std::vector<figures::ViewEdge>& edges = m_shown.view.edges;
    painter.setRenderHint(QPainter::Antialiasing);
    look.drawGround(painter, m_layout, m_shown, height());
    const bool isHighlighting = m_node || m_edge || !m_edges.empty() || !m_marked.empty();
    for (std::size_t index = std::min(edges.size(), GraphPainter::kMostEdges); index-- > 0;)
        if (!isHighlighting || !standsOut(edges[index]))
            look.drawEdge(painter, m_layout, m_shown, edges[index], isHighlighting ? kGraphBehind : 1);
    if (isHighlighting)
        for (std::size_t index = edges.size(); index-- > 0;)
            if (standsOut(edges[index]))
                look.drawEdge(painter, m_layout, m_shown, edges[index], 1);
    for (int node = 0; node < static_cast<int>(m_shown.view.nodes.size()); ++node)
        look.drawNode(painter, m_layout, m_shown, node, m_marked.contains(node) || m_node == node);
}

void GraphDiagram::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setOpacity(m_isDimmed ? kGraphDimming : 1);
    draw(painter, palette());
}

void GraphDiagram::pointAt(std::optional<int> node, std::optional<int> edge)
{
    if (node == m_node && edge == m_edge)
        return;
    m_node = node;
    m_edge = edge;
    setCursor(node || edge ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
    Q_EMIT pointed();
}

void GraphDiagram::pointAt(QPointF point)
{
    if (!m_shown.found)
        return;
    const auto node = m_layout.nodeAt(point, kNodeReach);
    pointAt(node, node ? std::nullopt
                       : m_layout.edgeAt(m_shown.view.edges, GraphPainter::kMostEdges, point, kEdgeReach));
}

void GraphDiagram::mouseMoveEvent(QMouseEvent* event)
{
    pointAt(event->position());
}

void GraphDiagram::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    pointAt(event->position());
    const bool isAdded = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    if (m_node)
        Q_EMIT nodePicked(*m_node, isAdded);
    else if (const auto edge = pointedEdge())
        Q_EMIT edgePicked(*edge);
    else
        Q_EMIT nothingPicked();
}

void GraphDiagram::leaveEvent(QEvent*)
{
    pointAt(std::nullopt, std::nullopt);
}

void GraphDiagram::focusOutEvent(QFocusEvent* event)
{
    pointAt(std::nullopt, std::nullopt);
    QWidget::focusOutEvent(event);
}

std::optional<int> GraphDiagram::neighbour(int node, QPointF direction) const
{
    std::optional<int> nearest;
    double least = 1e12;
    for (int other = 0; other < static_cast<int>(m_shown.view.nodes.size()); ++other) {
        const QPointF away = m_layout.place(other) - m_layout.place(node);
        const double ahead = QPointF::dotProduct(away, direction);
        const double aside = std::abs(away.x() * direction.y() - away.y() * direction.x());
        const double distance = ahead + kAside * aside;
        if (ahead > 0.5 && distance < least) {
            least = distance;
            nearest = other;
        }
    }
    return nearest;
}

void GraphDiagram::keyPressEvent(QKeyEvent* event)
{
    if (!m_shown.found || m_shown.view.nodes.empty())
        return QWidget::keyPressEvent(event);
    QPointF direction;
    switch (event->key()) {
    case Qt::Key_Left: direction = {-1, 0}; break;
    case Qt::Key_Right: direction = {1, 0}; break;
    case Qt::Key_Up: direction = {0, -1}; break;
    case Qt::Key_Down: direction = {0, 1}; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_node)
            Q_EMIT nodePicked(*m_node, event->modifiers().testFlag(Qt::ControlModifier));
        return;
    case Qt::Key_Escape:
        if (m_marked.empty() && m_edges.empty())
            break;
        Q_EMIT nothingPicked();
        return;
    default: break;
    }
    if (direction.isNull())
        return QWidget::keyPressEvent(event);
    const int from = m_node ? *m_node : m_marked.empty() ? -1 : *m_marked.begin();
    if (from < 0)
        pointAt(0, std::nullopt);
    else if (const auto next = neighbour(from, direction))
        pointAt(next, std::nullopt);
}

void GraphDiagram::resizeEvent(QResizeEvent*)
{
    place();
}

void GraphDiagram::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        place();
    QWidget::changeEvent(event);
}

}  // namespace hs::panels
