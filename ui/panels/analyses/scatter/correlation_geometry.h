#pragma once

#include "stats/head_scatter.h"

#include <QRectF>

#include <optional>
#include <vector>

namespace hs::panels {

/// A place in a matrix of heads, in the order in which it is drawn.
struct MatrixPlace {
    int row = 0;
    int column = 0;

    friend bool operator==(const MatrixPlace&, const MatrixPlace&) = default;
};

/// Places first..last that a cluster of several heads takes.
struct MatrixCluster {
    int first = 0;
    int last = 0;

    friend bool operator==(const MatrixCluster&, const MatrixCluster&) = default;
};

/// Where the cells and names of a matrix of heads lie, in the widget's pixels, and what lies where.
/// Painter and pointer both ask here. A value.
class CorrelationGeometry {
public:
    CorrelationGeometry() = default;
    /// `names` is the room that heads' names need at the left, and above where they stand upright.
    CorrelationGeometry(QSizeF size, int count, double names, double lineHeight);

    QRectF matrix() const;
    double cell() const { return m_cell; }
    QRectF rectOf(MatrixPlace place) const;
    QRectF frameOf(const MatrixCluster& cluster) const;
    QRectF rowName(int row) const;
    QRectF columnName(int column) const;
    /// Names above the columns stand upright where cells are narrower than they are.
    bool isUpright() const { return m_cell < m_names; }
    /// Every how many heads there is room for a name.
    int stride() const;

    std::optional<MatrixPlace> placeAt(QPointF point) const;
    /// The head whose name is there.
    std::optional<int> nameAt(QPointF point) const;

private:
    int m_count = 0;
    double m_names = 0;
    double m_line = 0;
    double m_above = 0;
    double m_cell = 0;
};

/// Heads of a cluster beside one another, the largest cluster first. [place] → index of the head
std::vector<std::size_t> clusteredOrder(const stats::HeadScatter& scatter);

/// Where in that order clusters of at least two heads lie.
std::vector<MatrixCluster> clusterPlaces(const stats::HeadScatter& scatter,
                                         const std::vector<std::size_t>& order);

}  // namespace hs::panels
