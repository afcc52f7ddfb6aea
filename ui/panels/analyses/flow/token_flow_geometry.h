#pragma once

#include "panels/analyses/flow/token_flow_lines.h"

#include <QPainterPath>
#include <QRectF>

#include <span>

namespace hs::panels {

/// Where a flow's tokens, layers and lines are, in widget pixels, and what is at a point. Used by painting
/// and hit testing. A value.
class FlowGeometry {
public:
    FlowGeometry() = default;
    /// The streams run within `plot`; token names have `foot` pixels below and `head` above it.
    FlowGeometry(const QRectF& plot, double foot, double head, int layers, int tokens);

    const QRectF& plot() const { return m_plot; }
    double step() const { return m_step; }  // from token to token
    double band() const { return m_band; }  // height of a layer

    /// Where a token crosses a level: 0 is below the first layer, `layers` above the last.
    QPointF pass(int token, double level) const;
    QPainterPath path(const FlowLine& line) const;
    /// The place of an end's name.
    QRectF endRect(FlowEnd end) const;

    /// How far a point is from a line.
    double distance(const FlowLine& line, QPointF point) const;
    /// The line nearest to a point, within the pointer's reach; among equally near ones the strongest.
    std::optional<std::size_t> lineAt(std::span<const FlowLine> lines, QPointF point) const;
    std::optional<FlowEnd> endAt(QPointF point) const;

    static constexpr double kReach = 4;  // pixels

private:
    struct Curve {
        QPointF from, fromHandle, toHandle, to;
    };
    Curve curve(const FlowLine& line) const;

    QRectF m_plot;
    double m_foot = 0;
    double m_head = 0;
    int m_layers = 0;
    int m_tokens = 0;
    double m_step = 0;
    double m_band = 0;
};

}  // namespace hs::panels
