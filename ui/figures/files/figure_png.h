#pragma once

#include "figures/files/figure_file.h"

namespace hs::figures {

/// figureBytes of the format, and the recipe in such a file; null where it has none.
QByteArray figurePng(const Drawing& drawing, const FigureStamp& stamp, const PixelOptions& options);
QByteArray recipeInPng(QByteArrayView file);

}  // namespace hs::figures
