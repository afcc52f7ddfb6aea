#pragma once

#include "figures/parts/drawing.h"
#include "figures/parts/form.h"

#include <QImage>
#include <QStringList>

namespace hs::test {

/// A form of a figure that is so many millimetres wide, all else as it comes.
figures::Form formOf(double width);

/// The drawing on white, as a pixel file would show it.
QImage imageOf(const figures::Drawing& drawing, double dotsPerInch = 200);

/// Texts of the drawing, in painting order.
QStringList textsOf(const figures::Drawing& drawing);

/// What a reviewer would object to, one line each: texts that overlap, leave the page or are smaller
/// than the least legible size; shapes and cells that leave the page.
QStringList flawsOf(const figures::Drawing& drawing);

/// Saves the picture for inspection in the folder that HS_PICTURES names; does nothing if it is not set.
void keepPicture(const figures::Drawing& drawing, const QString& name);

}  // namespace hs::test
