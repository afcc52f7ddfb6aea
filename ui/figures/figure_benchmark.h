#pragma once

#include "engine/benchmark.h"

#include <vector>

namespace hs {

/// Times the drawing and packing of a figure of 256 and 155 made-up heads of 64 tokens, 16 inches
/// wide: PDF, SVG and PNG at 300 dots per inch, and the size of each. Needs a QGuiApplication.
std::vector<Measurement> benchmarkFigures();

}  // namespace hs
