#pragma once

#include "figures/parts/drawing.h"

#include <QStringList>

class QPainter;

namespace hs::figures {

inline constexpr double kHaloWidth = 0.5;      // of the text size
inline constexpr double kDashes[] = {3, 2.5};  // lengths of a dash and of the space after it, in line widths

/// Paints a drawing on any device, one point of the drawing being one unit of the painter. The
/// ground is the caller's. Cells keep to whole pixels where the device has pixels.
class DrawingPainter {
public:
    explicit DrawingPainter(QPainter& painter);
    virtual ~DrawingPainter() = default;

    void paint(const Drawing& drawing);

protected:
    /// Vector files have their own way to keep cells crisp.
    virtual void paintCells(const DrawnCells& cells);

    QPainter& painter() { return m_painter; }

private:
    void paintShape(const DrawnShape& shape);
    void paintText(const DrawnText& text, const QString& family);

    QPainter& m_painter;
    bool m_isVector;
};

/// Characters of the drawing's texts for which neither its typeface nor any other installed one has
/// a glyph, in the order of their numbers; a box is drawn in their place.
QStringList missingGlyphs(const Drawing& drawing);

}  // namespace hs::figures
