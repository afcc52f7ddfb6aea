#pragma once

#include "stats/head_scatter.h"

#include <QRectF>

#include <optional>
#include <vector>

namespace hs::panels {

/// A place in a matrix of heads, in drawing order.
struct MatrixPlace {
    int row = 0;
    int column = 0;

    friend bool operator==(const MatrixPlace&, const MatrixPlace&) = default;
};

/// The places first..last of a cluster of several heads.
struct MatrixCluster {
    int first = 0;
    int last = 0;

    friend bool operator==(const MatrixCluster&, const MatrixCluster&) = default;
};

/// Where the cells and names of a matrix of heads are, in widget pixels, and what is at a point. Used by
/// painting and hit testing. A value.
class CorrelationGeometry {
public:
    CorrelationGeometry() = default;
    /// `names` is the room that heads' names need on the left, and above where they are upright.
    CorrelationGeometry(QSizeF size, int count, double names, double lineHeight);

    QRectF matrix() const;
    double cell() const { return m_cell; }
    QRectF rectOf(MatrixPlace place) const;
    QRectF frameOf(const MatrixCluster& cluster) const;
    QRectF rowName(int row) const;
    QRectF columnName(int column) const;
    /// Names above the columns are upright if they are wider than the cells.
    bool isUpright() const { return m_cell < m_names; }
    /// The stride of heads at which there is room for names.
    int stride() const;

    std::optional<MatrixPlace> placeAt(QPointF point) const;
    /// The head whose name is at the point.
    std::optional<int> nameAt(QPointF point) const;

private:
    int m_count = 0;
    double m_names = 0;
    double m_line = 0;
    double m_above = 0;
    double m_cell = 0;
};

/// Heads of a cluster next to one another, the largest cluster first. [place] → index of the head
std::vector<std::size_t> clusteredOrder(const stats::HeadScatter& scatter);

/// The places in that order of clusters of at least two heads.
std::vector<MatrixCluster> clusterPlaces(const stats::HeadScatter& scatter,
                                         const std::vector<std::size_t>& order);

}  // namespace hs::panels
