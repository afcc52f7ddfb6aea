#pragma once

#include "analyses/comparison.h"
#include "panels/widgets/plot_frame.h"

class QCPGraph;
class QCPItemTracer;

namespace hs::panels {

/// How far the heads of each layer are from their counterparts: the mean as a line, and the farthest as the end of a
/// pale band above it. Pointing at a layer reads it.
class DepthCurve : public PlotFrame {
    Q_OBJECT

public:
    explicit DepthCurve(QWidget* parent = nullptr);

    void setLayers(std::vector<analyses::LayerChange> layers, const QString& distance);
    const std::vector<analyses::LayerChange>& layers() const { return m_layers; }
    void setDimmed(bool isDimmed);
    /// What is said of a layer.
    QString textOf(std::size_t layer) const;

    QSize sizeHint() const override { return {240, 180}; }
    QSize minimumSizeHint() const override { return {140, 90}; }

protected:
    void applyStyle() override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void point(std::optional<std::size_t> layer);

    std::vector<analyses::LayerChange> m_layers;
    bool m_isDimmed = false;
    QCPGraph* m_largest;
    QCPGraph* m_mean;
    QCPItemTracer* m_tracer;
};

}  // namespace hs::panels
