#pragma once

#include "figures/parts/drawing.h"

#include <QStringList>

class QPainter;

namespace hs::figures {

inline constexpr double kHaloWidth = 0.5;      // of the text size
inline constexpr double kDashes[] = {3, 2.5};  // lengths of a dash and of the space after it, in line widths

/// Paints a drawing on any device; one point of the drawing is one unit of the painter. The caller
/// paints the ground. Cells are aligned to whole pixels if the device has pixels.
class DrawingPainter {
public:
    explicit DrawingPainter(QPainter& painter);
    virtual ~DrawingPainter() = default;

    void paint(const Drawing& drawing);

protected:
    /// Vector files keep cells crisp in their own way.
    virtual void paintCells(const DrawnCells& cells);

    QPainter& painter() { return m_painter; }

private:
    void paintShape(const DrawnShape& shape);
    void paintText(const DrawnText& text, const QString& family);

    QPainter& m_painter;
    bool m_isVector;
};

/// Characters of the drawing's texts that neither its typeface nor any other installed one has a glyph
/// for, in code point order; a box is drawn in their place.
QStringList missingGlyphs(const Drawing& drawing);

}  // namespace hs::figures
