#pragma once

#include "figures/parts/drawing.h"
#include "figures/parts/form.h"

namespace hs::figures {

/// How values become colours: the form's map and scale between two limits.
class ValueColours {
public:
    /// Between the form's own limits.
    explicit ValueColours(const Form& form) : ValueColours(form, form.lowest, form.highest) {}
    ValueColours(const Form& form, double lowest, double highest);
    /// From -most to most, with 0 in the middle of the map for differences.
    static ValueColours bothWays(const Form& form, double most);

    int levelOf(double value) const;  // 0..255; `value` is not NaN
    QRgb at(double value) const { return m_map.at(levelOf(value)); }
    /// A picture with levels as pixels, filled with the lowest value's.
    QImage levels(int width, int height) const;

    /// Draws the map with its numbers and, to its right, the name of what it shows, from `at` on. Returns
    /// the area covered.
    QRectF drawBar(Drawing& drawing, QPointF at, const QString& name, const Form& form) const;

private:
    render::ColourMap m_map;
    render::Scale m_scale;
    double m_lowest;
    double m_highest;
};

/// Ink or paper colour, whichever is easier to read on this ground.
QRgb inkOn(QRgb ground);

}  // namespace hs::figures
