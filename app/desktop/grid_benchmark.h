#pragma once

#include "bench/benchmark.h"

#include <vector>

namespace hs::app {

/// Times the two grids with made-up tiles, drawn without a screen: 2 × 1,024 heads of that many
/// tokens in 1600 × 1000 pixels. Frames while panning, while zooming from everything to one tile and back, and
/// while the pointer moves over cells: median, 95th percentile and maximum each. Needs a QApplication.
std::vector<bench::Measurement> benchmarkGrid(int tokens);

}  // namespace hs::app
