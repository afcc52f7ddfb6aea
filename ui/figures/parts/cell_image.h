#pragma once

#include "engine/request/run_result.h"
#include "figures/parts/drawing.h"
#include "figures/parts/figure_form.h"
#include "render/tile_marks.h"

#include <QList>

namespace hs::figures {

/// Colours of the 256 values of a cell under the form's map, scale and limits.
QList<QRgb> cellColours(const FigureForm& form);

/// One head's cells in these colours, one pixel a cell; its largest weight gets the last colour
/// where the form says so. Of a head that the run has.
QImage cellImage(const engine::RunResult& result, HeadId head, const FigureForm& form);

/// Lines over an even ground: a head that is ablated or patched.
void drawHatching(Drawing& drawing, const QRectF& tile, render::Hatching hatching, double lineWidth);

}  // namespace hs::figures
