#pragma once

#include "bench/benchmark.h"

#include <string>
#include <vector>

namespace hs::app {

/// Times the window offscreen: frames of the grids, and the demo pair from the start of this process
/// to its first tiles, from an ablation to the redrawn tiles, and under a flood of requests; and how
/// long `model`, unless empty, holds up the UI thread while it loads and runs. Throws Failure.
std::vector<bench::Measurement> benchmarkDesktop(const std::string& model);

/// Times figures: from maps in memory to the bytes of a file.
std::vector<bench::Measurement> benchmarkFigureFiles();

}  // namespace hs::app
