#pragma once

#include "figures/parts/drawing.h"

#include <QImage>
#include <QStringList>

namespace hs::test {

/// The drawing on white, as a pixel file would show it.
QImage imageOf(const figures::Drawing& drawing, double dotsPerInch = 200);

/// Texts of the drawing, in painting order.
QStringList textsOf(const figures::Drawing& drawing);

/// What a reviewer would complain about, one line each: texts that overlap, leave the page or are
/// smaller than the least legible size; shapes and cells that leave the page.
QStringList flawsOf(const figures::Drawing& drawing);

/// Saves the picture into the folder HS_PICTURES names, so that somebody can look at it; does
/// nothing without it.
void keepPicture(const figures::Drawing& drawing, const QString& name);

}  // namespace hs::test
