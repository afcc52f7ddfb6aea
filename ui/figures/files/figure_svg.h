#pragma once

#include "figures/files/figure_file.h"

namespace hs::figures {

/// figureBytes for this format, and the recipe in such a file; null if it has none.
QByteArray figureSvg(const Drawing& drawing, const Stamp& stamp, bool isTransparent);
QByteArray recipeInSvg(QByteArrayView file);

/// The element of any XML file that holds the recipe, where recipeInSvg finds it.
QByteArray recipeElement(const Stamp& stamp);

}  // namespace hs::figures
