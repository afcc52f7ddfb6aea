#pragma once

#include "panels/analyses/graph/graph_painter.h"

#include <QWidget>

#include <optional>
#include <set>

namespace hs::panels {

/// One side's attribution graph: tokens across, layers up. Pointing at a node shows its edges, at an edge its ends; a
/// click picks, Ctrl-click picks more. Arrow keys go from node to node, Return picks, Escape picks nothing.
class GraphDiagram : public QWidget {
    Q_OBJECT

public:
    explicit GraphDiagram(Side side, QWidget* parent = nullptr);

    void setGraph(ShownGraph shown);
    const ShownGraph& graph() const { return m_shown; }
    void setDimmed(bool isDimmed);
    bool isDimmed() const { return m_isDimmed; }
    /// Nodes that stand out with their edges, and edges that do by themselves.
    void setMarks(const std::vector<int>& nodes, std::vector<figures::ViewEdge> edges);

    const figures::GraphLayout& layoutOfGraph() const { return m_layout; }
    std::optional<int> pointedNode() const { return m_node; }
    std::optional<figures::ViewEdge> pointedEdge() const;
    const std::set<int>& markedNodes() const { return m_marked; }
    const std::vector<figures::ViewEdge>& markedEdges() const { return m_edges; }

    /// Draws it in these colours at its current size, for files.
    void draw(QPainter& painter, const QPalette& inks) const;

    QSize sizeHint() const override { return {420, 200}; }
    QSize minimumSizeHint() const override { return {160, 90}; }

Q_SIGNALS:
    void pointed();  // at something else, or nothing
    void nodePicked(int node, bool isAdded);
    void edgePicked(const hs::figures::ViewEdge& edge);
    void nothingPicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void place();
    void pointAt(std::optional<int> node, std::optional<int> edge);
    void pointAt(QPointF point);
    /// The nearest node in a direction; none if there is none.
    std::optional<int> neighbour(int node, QPointF direction) const;
    bool standsOut(const figures::ViewEdge& edge) const;

    ShownGraph m_shown;
    figures::GraphLayout m_layout;
    bool m_isDimmed = false;
    std::set<int> m_marked;
    std::vector<figures::ViewEdge> m_edges;  // marked
    std::optional<int> m_node;               // under the pointer, or reached by keyboard
    std::optional<int> m_edge;               // likewise, index into the view's
};

}  // namespace hs::panels
