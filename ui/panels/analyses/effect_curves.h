#pragma once

#include "base/side.h"
#include "figures/presets/explained_effect_figure.h"
#include "panels/widgets/plot_frame.h"

#include <array>
#include <optional>

class QCPGraph;
class QCPItemLine;
class QCPItemStraightLine;
class QCPItemText;
class QCPItemTracer;

namespace hs::panels {

/// How much the first n units of each side achieve: a curve per side, the requested level, and the smallest n
/// that reaches it. Pointing at a curve reads it, a click picks its n. The axis is logarithmic for many
/// units.
class EffectCurves : public PlotFrame {
    Q_OBJECT

public:
    explicit EffectCurves(QWidget* parent = nullptr);

    struct Words {
        QString units;   // "heads"
        QString effect;  // what is plotted: "explained effect"
        QString factor;  // a line below the sides' own: "9.5× fewer heads"

        friend bool operator==(const Words&, const Words&) = default;
    };
    /// A side without points is left out. [Side]
    void setCurves(const std::array<figures::EffectCurve, 2>& curves, double level, const Words& words);
    const figures::EffectCurve& curve(Side side) const { return m_curves[indexOf(side)]; }
    void setDimmed(bool isDimmed);
    /// Where the curve is at a count, in widget pixels.
    QPointF pointAt(Side side, int kept) const;

    QSize sizeHint() const override { return {340, 180}; }
    QSize minimumSizeHint() const override { return {160, 90}; }

Q_SIGNALS:
    void countPicked(Side side, int kept);

protected:
    void applyStyle() override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Part {
        QCPGraph* graph = nullptr;
        QCPItemLine* smallest = nullptr;
        QCPItemText* title = nullptr;
    };
    struct Reading {
        Side side = Side::Left;
        std::size_t index = 0;  // of the point

        friend bool operator==(const Reading&, const Reading&) = default;
    };

    Part newPart();
    void refill();
    void fill(Side side);
    void scale();
    std::optional<Reading> readingAt(QPointF position) const;
    void setReading(std::optional<Reading> reading);
    void step(int points);
    QString textOf(Reading reading) const;

    std::array<figures::EffectCurve, 2> m_curves;  // [Side]
    double m_level = 0;
    Words m_words;
    std::optional<Reading> m_reading;
    bool m_isDimmed = false;
    std::array<Part, 2> m_parts;  // [Side], owned by the plot like the rest
    QCPItemStraightLine* m_levelLine;
    QCPItemText* m_factor;
    QCPItemTracer* m_tracer;
};

}  // namespace hs::panels
