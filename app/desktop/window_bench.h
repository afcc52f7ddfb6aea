#pragma once

#include "bench/benchmark.h"

#include <string>
#include <vector>

namespace hs::app {

/// Times the window, offscreen unless QT_QPA_PLATFORM says otherwise: frames of the grids, and the demo
/// pair from the start of this process to its first tiles, from an ablation to the redrawn tiles, and
/// under a flood of requests. With `model`, unless empty, how long it holds up the UI thread while it loads
/// and runs, and a researcher's round, of which `pictures`, unless empty, gets pictures. Throws Failure.
std::vector<bench::Measurement> benchmarkDesktop(const std::string& model, const std::string& pictures);

/// Times figures: from maps in memory to the bytes of a file.
std::vector<bench::Measurement> benchmarkFigureFiles();

}  // namespace hs::app
