#pragma once

#include "figures/parts/free_labels.h"
#include "figures/parts/plot_axes.h"
#include "figures/presets/explained_effect_figure.h"

namespace hs::figures {

/// The plot of explained effect: axes, curves, level, and labels placed clear of them.
class EffectPlot {
public:
    EffectPlot(const ExplainedEffectFigure& figure, const Form& form, const QRectF& place);

    void draw(Drawing& drawing);

private:
    AxisRange keptRange() const;
    AxisRange effectRange() const;
    std::vector<QPointF> placesOf(const EffectCurve& curve) const;

    void drawLevel(Drawing& drawing);
    void drawCurves(Drawing& drawing);
    void drawDrops(Drawing& drawing);
    void drawFactor(Drawing& drawing);
    /// The arrow with its text; false if there is no room.
    bool drawFactor(Drawing& drawing, const QString& text, const TextStyle& style, int fewer, int more);
    void drawTitles(Drawing& drawing);

    const ExplainedEffectFigure& m_figure;
    const Form& m_form;
    PlotAxes m_axes;
    FreeLabels m_labels;
};

}  // namespace hs::figures
