#pragma once

#include "figures/presets/scatter_figure.h"

#include <span>

namespace hs::figures {

/// The plots of one model: below the diagonal head against head, on it the histogram of each head's
/// weights, above it the correlations. Every plot spans weights from 0 to 1.
class ScatterMatrix {
public:
    /// `plotSide` in points.
    ScatterMatrix(const ScatterPanel& panel, const Form& form, double plotSide);

    /// Including axis names and numbers, and the height of the heading, which may be wider.
    QSizeF size() const { return m_size; }
    double headingWidth() const;

    void draw(Drawing& drawing, QPointF at, double headingWidth) const;

private:
    int count() const { return static_cast<int>(m_panel.heads.size()); }
    double step() const { return m_side + m_gap; }
    QString caption(bool isShort) const;
    QString labelOf(int index) const;
    std::span<const float> weightsOf(int index) const;

    void drawPair(Drawing& drawing, const QRectF& place, int row, int column, double correlation) const;
    void drawCorrelation(Drawing& drawing, const QRectF& place, double correlation) const;
    void drawOuterLabels(Drawing& drawing, const QRectF& plots) const;
    void drawAxes(Drawing& drawing, const QRectF& plots) const;

    const ScatterPanel& m_panel;
    const Form& m_form;
    render::ColourMap m_map;
    double m_side;
    double m_gap;
    double m_labelSize = 0;   // on the diagonal; 0: rows and columns are labelled instead
    double m_numberSize = 0;  // of correlations; 0: none
    QPointF m_origin;         // of the plots
    QSizeF m_size;
};

/// "−0.12"; "–" if one head is constant.
QString correlationText(double correlation);

}  // namespace hs::figures
