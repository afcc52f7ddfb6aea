#pragma once

#include "figures/parts/graph_view.h"

#include <QPainterPath>
#include <QRectF>

#include <optional>
#include <vector>

namespace hs::figures {

/// The widths that nodes would like to have in their rows.
struct NodeWishes {
    std::vector<double> named;    // [node] with its name; the same as `bare` if it has none to be shown
    std::vector<double> bare;     // [node]
    std::vector<double> columns;  // [token] the least width of its column; empty: none

    /// What the columns take if no node is named.
    double leastWidth(const GraphView& view) const;
    /// The width of each node, so that those matter most that are named: the ones with names of the user's, then those
    /// of the largest influence, as long as all columns fit. [node]
    std::vector<double> within(const GraphView& view, double width) const;
};

/// Where the nodes and edges of a view are in a rectangle, and what is at a point: tokens across, layers up, biases
/// in a column before the first token. Used by panel and figure, for painting and hit testing. A value, in the
/// rectangle's units.
class GraphLayout {
public:
    GraphLayout() = default;
    /// `widths` is the room that each node would like to have in its row; if there is not enough for all, columns
    /// shrink, and with them the nodes of rows that do not fit. `leastColumns` is what each token's column has at least.
    GraphLayout(const GraphView& view, const QRectF& plot, const std::vector<double>& widths,
                const std::vector<double>& leastColumns = {});

    const QRectF& plot() const { return m_plot; }
    double band() const { return m_band; }
    int columns() const { return static_cast<int>(m_columns.size()); }
    /// The column of a token, over all levels.
    QRectF column(int position) const;
    double levelAt(int level) const;  // y

    QPointF place(int node) const { return m_places[static_cast<std::size_t>(node)]; }
    /// The room a node has in its row.
    double room(int node) const { return m_rooms[static_cast<std::size_t>(node)]; }
    /// A curve that leaves its source upwards and arrives at its target from below.
    QPainterPath path(const ViewEdge& edge) const;

    /// The node nearest to a point, within `reach`.
    std::optional<int> nodeAt(QPointF point, double reach) const;
    /// The first of these edges that is within `reach` of a point.
    std::optional<int> edgeAt(const std::vector<ViewEdge>& edges, std::size_t count, QPointF point,
                              double reach) const;

private:
    struct Column {
        double left = 0;
        double width = 0;
    };
    struct Curve {
        QPointF from, fromHandle, toHandle, to;
    };
    Curve curve(const ViewEdge& edge) const;

    QRectF m_plot;
    double m_band = 0;
    std::vector<Column> m_columns;  // [token]; the biases' place is before the first one
    std::vector<QPointF> m_places;  // [node]
    std::vector<double> m_rooms;    // [node]
};

}  // namespace hs::figures
