#pragma once

#include "figures/figure_file.h"

namespace hs {

/// figureBytes of the format, and the recipe in such a file; null where it has none.
QByteArray figurePdf(const Drawing& drawing, const FigureStamp& stamp);
QByteArray recipeInPdf(QByteArrayView file);

}  // namespace hs
