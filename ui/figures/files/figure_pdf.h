#pragma once

#include "figures/files/figure_file.h"

namespace hs::figures {

/// figureBytes for this format, and the recipe in such a file; null if it has none.
QByteArray figurePdf(const Drawing& drawing, const Stamp& stamp);
QByteArray recipeInPdf(QByteArrayView file);

}  // namespace hs::figures
