#pragma once

#include "bench/benchmark.h"

#include <vector>

namespace hs::app {

/// Times the drawing and packing of a figure of 256 and 155 made-up heads of 64 tokens, 16 inches
/// wide: PDF, SVG and PNG at 300 dots per inch, and the size of each. Needs a QGuiApplication.
std::vector<bench::Measurement> benchmarkFigures();

}  // namespace hs::app
