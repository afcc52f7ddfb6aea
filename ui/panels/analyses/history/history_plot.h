#pragma once

#include "base/head_id.h"
#include "base/side.h"
#include "panels/widgets/plot_frame.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

class QCPGraph;
class QCPItemStraightLine;
class QCPItemText;
class QCPItemTracer;

namespace hs::panels {

/// A head's metric at each step of a side's training.
struct HeadCurve {
    Side side = Side::Left;
    HeadId head;
    std::vector<double> values;       // [step]
    std::optional<std::size_t> jump;  // the step by which it has changed most

    friend bool operator==(const HeadCurve&, const HeadCurve&) = default;
};

/// Metrics of heads over the steps of a training: a curve a head, in the colour of its side, the step where it jumps
/// marked by a dot, and the step that a side shows by an upright line. Pointing at a curve reads it, a click goes to its step.
class HistoryPlot : public PlotFrame {
    Q_OBJECT

public:
    explicit HistoryPlot(QWidget* parent = nullptr);

    /// `steps` of each side; `metric` names the values.
    void setCurves(const std::array<std::vector<std::int64_t>, 2>& steps, std::vector<HeadCurve> curves,
                   const QString& metric);
    const std::vector<HeadCurve>& curves() const { return m_curves; }
    /// [Side]
    void setShown(const std::array<std::optional<std::size_t>, 2>& steps);
    void setDimmed(bool isDimmed);
    /// Where a point of a curve is, in widget pixels.
    QPointF placeOf(std::size_t curve, std::size_t step) const;

    QSize sizeHint() const override { return {640, 180}; }
    QSize minimumSizeHint() const override { return {200, 100}; }

Q_SIGNALS:
    void stepPicked(Side side, std::size_t step);
    void headPointed(Side side, std::optional<hs::HeadId> head);

protected:
    void applyStyle() override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Reading {
        std::size_t curve = 0;
        std::size_t step = 0;

        friend bool operator==(const Reading&, const Reading&) = default;
    };
    struct Part {
        QCPGraph* graph;
        QCPGraph* jump;
        QCPItemText* name;
    };

    Part newPart();
    void refill();
    void scale();
    void placeNames();
    std::optional<double> lastOf(std::size_t curve) const;
    std::ptrdiff_t rankOf(std::size_t curve) const;
    double strengthOf(std::size_t curve) const;
    std::optional<Reading> readingAt(QPointF position) const;
    void setReading(std::optional<Reading> reading);
    QString textOf(Reading reading) const;
    std::int64_t stepOf(Reading reading) const;

    std::array<std::vector<std::int64_t>, 2> m_steps;   // [Side]
    std::array<std::optional<std::size_t>, 2> m_shown;  // [Side]
    std::vector<HeadCurve> m_curves;
    QString m_metric;
    bool m_isDimmed = false;
    std::optional<Reading> m_reading;
    std::vector<Part> m_parts;                         // [curve], owned by the plot like the rest
    std::array<QCPItemStraightLine*, 2> m_shownLines;  // [Side]
    QCPItemTracer* m_tracer;
};

}  // namespace hs::panels
