#pragma once

#include "bench/benchmark.h"

#include <string>
#include <vector>

namespace hs::window {
class MainWindow;
}

namespace hs::service {
class Machines;
}

namespace hs::app {

/// Times clicks that ablate a head and redraw its grid, for a model beside itself with prompts of 16, 128,
/// 512 and 1,024 tokens, as far as it reads them; and where the time goes: the engine's own, what the worker adds
/// to it, and the window's. For a model on one of the other machines also what comes from there.
std::vector<bench::Measurement> measureClicks(window::MainWindow& window, const service::Machines& machines,
                                              const std::string& model);

}  // namespace hs::app
