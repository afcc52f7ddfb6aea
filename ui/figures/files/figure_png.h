#pragma once

#include "figures/files/figure_file.h"

namespace hs::figures {

/// figureBytes for this format, and the recipe in such a file; null if it has none.
QByteArray figurePng(const Drawing& drawing, const Stamp& stamp, const PixelOptions& options);
QByteArray recipeInPng(QByteArrayView file);

}  // namespace hs::figures
