#pragma once

#include "figures/figure_file.h"

namespace hs {

/// figureBytes of the format, and the recipe in such a file; null where it has none.
QByteArray figurePng(const Drawing& drawing, const FigureStamp& stamp, const PixelOptions& options);
QByteArray recipeInPng(QByteArrayView file);

}  // namespace hs
