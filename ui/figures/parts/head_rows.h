#pragma once

#include "figures/parts/tile_panel_layout.h"

namespace hs::figures {

/// Heads as tiles in rows, as large as there is room for, with arrows along the axes of the first one:
/// keys across, queries down.
class HeadRows {
public:
    static constexpr double kLargestSide = 62;  // points

    enum class Axes { None, Arrows };

    /// `panel`'s heading is not drawn. Rows grow higher than `room` rather than get too small for labels.
    HeadRows(TilePanel panel, const Form& form, QSizeF room, Axes axes = Axes::Arrows,
             double largestSide = kLargestSide);

    double tileSide() const { return m_side; }
    QSizeF size() const;
    void draw(Drawing& drawing, QPointF at) const;

private:
    double leastSide() const;
    double axisSpace() const;
    void drawAxes(Drawing& drawing, QPointF corner) const;

    TilePanel m_panel;
    const Form& m_form;
    Axes m_axes;
    double m_side = 0;
};

}  // namespace hs::figures
