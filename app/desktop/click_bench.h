#pragma once

#include "bench/benchmark.h"

#include <vector>

namespace hs::window {
class MainWindow;
}

namespace hs::app {

/// Times clicks that ablate a head of the left model and redraw its tiles, with the prompts' lengths that it
/// and the model beside it can read: of 128, 512 and 1,024 tokens. Where the time goes, too: the engine's own
/// share, what the worker adds to it, and the window's.
std::vector<bench::Measurement> measureClicks(window::MainWindow& window);

}  // namespace hs::app
