#pragma once

#include "figures/parts/graph_layout.h"
#include "panels/analyses/graph/shown_graph.h"

#include <QColor>
#include <QFont>
#include <QPalette>

class QPainter;

namespace hs::panels {

/// How a graph is drawn in a window: edges as wide as they are strong, in a colour for each sign; features as discs,
/// or as boxes with their names, as far as there is room; supernodes without as ringed discs; errors as small diamonds,
/// biases as a hollow square.
class GraphPainter {
public:
    static constexpr std::size_t kMostEdges = 300;  // of those that nothing points at
    static constexpr double kDisc = 4;              // radius of a feature, in pixels

    GraphPainter(const QPalette& palette, const QFont& font);

    /// Lays a graph out in that size, with room for the names around it.
    figures::GraphLayout fit(QSizeF size, const ShownGraph& shown) const;

    /// Layers and tokens; the names of these are below the plot, down to `bottom`.
    void drawGround(QPainter& painter, const figures::GraphLayout& layout, const ShownGraph& shown,
                    double bottom) const;
    /// `opacity` 1 is full strength; the strongest edge of the view has the full width.
    void drawEdge(QPainter& painter, const figures::GraphLayout& layout, const ShownGraph& shown,
                  const figures::ViewEdge& edge, double opacity) const;
    void drawNode(QPainter& painter, const figures::GraphLayout& layout, const ShownGraph& shown, int node,
                  bool isMarked) const;

private:
    bool isBox(const figures::GraphLayout& layout, const ShownGraph& shown, int node) const;
    double nameWidth(const ShownGraph& shown, int node) const;
    figures::NodeWishes wishes(const ShownGraph& shown) const;
    void drawTokens(QPainter& painter, const figures::GraphLayout& layout, const ShownGraph& shown,
                    double bottom) const;

    QFont m_font;
    QColor m_base, m_ink, m_quiet, m_adds, m_takes, m_logit;
};

}  // namespace hs::panels
