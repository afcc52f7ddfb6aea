#pragma once

#include "base/cell_id.h"
#include "base/side.h"
#include "panels/widgets/plot_frame.h"

#include <array>
#include <optional>
#include <vector>

class QCPGraph;
class QCPItemText;
class QCPItemTracer;

namespace hs::panels {

/// A cell, and its weights in two heads.
struct ScatterPoint {
    CellId cell;
    double across = 0;
    double up = 0;

    friend bool operator==(const ScatterPoint&, const ScatterPoint&) = default;
};

/// One side's points and the text above the plot.
struct ScatterPoints {
    QString title;
    std::vector<ScatterPoint> points;

    friend bool operator==(const ScatterPoints&, const ScatterPoints&) = default;
};

/// Weights of one head against those of another, a point per cell, both sides in their colours. If there are
/// many cells, only those with the largest weights are drawn. Pointing reads a cell, a click picks it.
class CellScatter : public PlotFrame {
    Q_OBJECT

public:
    static constexpr std::size_t kMostPoints = 10'000;  // per side

    explicit CellScatter(QWidget* parent = nullptr);

    /// [Side]
    void setPoints(std::array<ScatterPoints, 2> sides, const QString& across, const QString& up);
    const std::vector<ScatterPoint>& points(Side side) const { return m_sides[indexOf(side)].points; }
    void setDimmed(bool isDimmed);

    struct Pointed {
        Side side = Side::Left;
        std::size_t index = 0;  // in points(side)

        friend bool operator==(const Pointed&, const Pointed&) = default;
    };
    std::optional<Pointed> pointed() const { return m_pointed; }
    /// Where a point is drawn, in widget pixels.
    QPointF place(const ScatterPoint& point) const;

    QSize sizeHint() const override { return {240, 200}; }
    QSize minimumSizeHint() const override { return {110, 90}; }

Q_SIGNALS:
    void pointedChanged();
    void cellPicked(hs::CellId cell);

protected:
    void applyStyle() override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void refill();
    void placeTitles();
    std::optional<Pointed> pointAt(QPointF position) const;
    void setPointed(std::optional<Pointed> pointed);

    std::array<ScatterPoints, 2> m_sides;  // [Side]
    bool m_isDimmed = false;
    std::optional<Pointed> m_pointed;
    std::array<QCPGraph*, 2> m_graphs = {};     // [Side], owned by the plot like the rest
    std::array<QCPItemText*, 2> m_titles = {};  // [Side]
    QCPItemTracer* m_tracer;
};

}  // namespace hs::panels
