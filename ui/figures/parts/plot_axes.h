#pragma once

#include "figures/parts/drawing.h"
#include "figures/parts/form.h"

#include <QMarginsF>

#include <vector>

namespace hs::figures {

/// The values that one axis spans. A logarithmic axis spans only values above 0.
struct AxisRange {
    double lowest = 0;
    double highest = 1;
    bool isLogarithmic = false;

    /// The position of a value, 0 at the lowest and 1 at the highest; in the middle if they are equal.
    double shareOf(double value) const;
};

/// At most `most` round values within the range, ascending: steps of 1, 2 or 5 times a power of ten;
/// on a logarithmic axis powers of ten, with 2 and 5 between them if there is room.
std::vector<double> roundTicks(const AxisRange& range, int most);

/// Short and without trailing zeros: "0", "0.25", "200", "1e+06".
QString tickLabel(double value);

struct AxisNames {
    QString x;
    QString y;
};

/// Two thin axes, at the left and bottom of a rectangle in points. A value that maps data to the rectangle
/// and draws lines, ticks, numbers and names around it.
class PlotAxes {
public:
    PlotAxes(const QRectF& place, const AxisRange& x, const AxisRange& y) : m_place(place), m_x(x), m_y(y) {}

    const QRectF& place() const { return m_place; }
    const AxisRange& xRange() const { return m_x; }
    const AxisRange& yRange() const { return m_y; }
    QPointF at(double x, double y) const;

    /// Ticks are thinned out until their numbers are apart; names are outside the numbers.
    void draw(Drawing& drawing, const Form& form, const AxisNames& names) const;

    /// The room taken around a rectangle of any size with these axes; an empty name takes no line.
    static QMarginsF margins(const AxisRange& x, const AxisRange& y, const AxisNames& names,
                             const Form& form);

private:
    std::vector<double> xTicks(const Drawing& drawing, const TextStyle& style) const;
    std::vector<double> yTicks(const TextStyle& style) const;

    QRectF m_place;
    AxisRange m_x;
    AxisRange m_y;
};

}  // namespace hs::figures
