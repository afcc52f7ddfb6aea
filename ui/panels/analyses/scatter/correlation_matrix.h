#pragma once

#include "panels/analyses/scatter/correlation_geometry.h"

#include <QWidget>

#include <memory>

namespace hs::panels {

/// How similar heads are, pair by pair, as colours; clusters of similar heads are framed. Clicking a cell
/// picks a pair, clicking a name picks the head.
class CorrelationMatrix : public QWidget {
    Q_OBJECT

public:
    explicit CorrelationMatrix(QWidget* parent = nullptr);

    /// Null: nothing to show.
    void setScatter(std::shared_ptr<const stats::HeadScatter> scatter);
    void setDimmed(bool isDimmed);
    bool isDimmed() const { return m_isDimmed; }
    /// Marks the pair being looked at.
    void setPair(std::optional<HeadId> row, std::optional<HeadId> column);

    const CorrelationGeometry& geometry() const { return m_geometry; }
    HeadId headAt(int place) const;
    double correlationAt(MatrixPlace place) const;
    /// The place under the pointer.
    std::optional<MatrixPlace> pointed() const { return m_pointed; }

    /// Draws it in these colours at its current size, for files.
    void draw(QPainter& painter, const QPalette& inks) const;

    QSize sizeHint() const override { return {220, 200}; }
    QSize minimumSizeHint() const override { return {90, 80}; }

Q_SIGNALS:
    void pointedChanged();
    void pairPicked(hs::HeadId row, hs::HeadId column);
    void headPicked(hs::HeadId head, Qt::KeyboardModifiers modifiers);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    int count() const { return static_cast<int>(m_order.size()); }
    QFont smallFont() const;
    void place();
    void pointAt(std::optional<QPointF> position);
    QColor colourOf(double correlation, const QPalette& inks) const;
    void drawCells(QPainter& painter, const QPalette& inks) const;
    void drawNames(QPainter& painter, const QPalette& inks) const;
    void drawColumnName(QPainter& painter, const QRectF& place, const QString& name) const;
    void drawFrames(QPainter& painter, const QPalette& inks) const;

    std::shared_ptr<const stats::HeadScatter> m_scatter;
    std::vector<std::size_t> m_order;  // [place] → index in the scatter
    std::vector<MatrixCluster> m_clusters;
    CorrelationGeometry m_geometry;
    bool m_isDimmed = false;
    std::optional<HeadId> m_row, m_column;
    std::optional<MatrixPlace> m_pointed;
};

}  // namespace hs::panels
