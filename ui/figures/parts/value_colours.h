#pragma once

#include "figures/parts/drawing.h"
#include "figures/parts/figure_form.h"

namespace hs::figures {

/// How values become colours: the form's map and scale between two limits.
class ValueColours {
public:
    /// Between the form's own limits.
    explicit ValueColours(const FigureForm& form) : ValueColours(form, form.lowest, form.highest) {}
    ValueColours(const FigureForm& form, double lowest, double highest);

    int levelOf(double value) const;  // 0..255, of a number
    QRgb at(double value) const { return m_map.at(levelOf(value)); }
    /// A picture of the lowest value whose pixels are levels.
    QImage levels(int width, int height) const;

    /// The map with its numbers and to the right of it what it shows, from `at` on. Gives what it
    /// covers.
    QRectF drawBar(Drawing& drawing, QPointF at, const QString& name, const FigureForm& form) const;

private:
    render::ColourMap m_map;
    render::Scale m_scale;
    double m_lowest;
    double m_highest;
};

/// The one of ink and paper that is easier to read on this ground.
QRgb inkOn(QRgb ground);

}  // namespace hs::figures
