#pragma once

#include "bench/benchmark.h"

#include <vector>

namespace hs::app {

/// How well a new window is used at several sizes: the share of it that is canvas, and the share of the canvas
/// that is tiles for pairs of models of many shapes. Needs no model; throws Failure.
std::vector<bench::Measurement> measureLayouts();

}  // namespace hs::app
