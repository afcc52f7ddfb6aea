#pragma once

#include "figures/files/figure_file.h"

namespace hs::figures {

/// figureBytes of the format, and the recipe in such a file; null where it has none.
QByteArray figureSvg(const Drawing& drawing, const FigureStamp& stamp, bool isTransparent);
QByteArray recipeInSvg(QByteArrayView file);

}  // namespace hs::figures
