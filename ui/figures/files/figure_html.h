#pragma once

#include "figures/files/figure_file.h"

namespace hs::figures {

/// figureBytes for this format: one file that needs nothing else and asks the network for nothing. It is
/// well-formed XML up to its data, so that recipeInSvg finds the recipe. Throws Failure if the figure is for
/// paper alone.
QByteArray figureHtml(const Drawing& drawing, const Stamp& stamp);

}  // namespace hs::figures
