#pragma once

#include "bench/benchmark.h"

#include <string>
#include <vector>

namespace hs::window {
class MainWindow;
}

namespace hs::app {

/// Times what a researcher does with a model in the first minutes, each step through the window's own
/// widgets: open it on both sides, type a prompt, hover, take the first token out, ablate a head, sweep,
/// find the circuit, export the figure. Saves a picture of the window after each step in the folder
/// `pictures`, unless that is empty. Throws Failure.
std::vector<bench::Measurement> measureRound(window::MainWindow& window, const std::string& model,
                                             const std::string& pictures);

}  // namespace hs::app
