#pragma once

#include "engine/request/run_result.h"
#include "figures/parts/drawing.h"
#include "figures/parts/form.h"
#include "render/tile_marks.h"

#include <QList>

namespace hs::figures {

/// The place on the colour map, 0 to 255, of a cell's value under the form's scale and limits.
int colourLevel(int value, const Form& form);

/// Colours of a cell's 256 values under the form's map, scale and limits.
QList<QRgb> cellColours(const Form& form);

/// The cells of a head of the run in the form's colours, one pixel per cell; its largest weight gets the
/// last colour if the form says so.
QImage cellImage(const engine::RunResult& result, HeadId head, const Form& form);

/// Lines over an even ground, for a head that is ablated or patched.
void drawHatching(Drawing& drawing, const QRectF& tile, render::Hatching hatching, double lineWidth);

}  // namespace hs::figures
