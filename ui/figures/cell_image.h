#pragma once

#include "engine/run_result.h"
#include "figures/drawing.h"
#include "figures/figure_form.h"
#include "render/tile_marks.h"

#include <QList>

namespace hs {

/// Colours of the 256 values of a cell under the form's map, scale and limits.
QList<QRgb> cellColours(const FigureForm& form);

/// One head's cells in these colours, one pixel a cell; its largest weight gets the last colour
/// where the form says so. Of a head that the run has.
QImage cellImage(const RunResult& result, HeadId head, const FigureForm& form);

/// Lines over an even ground: a head that is ablated or patched.
void drawHatching(Drawing& drawing, const QRectF& tile, Hatching hatching, double lineWidth);

}  // namespace hs
