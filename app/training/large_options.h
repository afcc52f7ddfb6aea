#pragma once

#include "model/model_locator.h"
#include "train/economy.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace hs::app {

/// What is trained, and what helps a large model fit, as the user typed it.
struct LargeArguments {
    std::string part = "all";  // of the weights that is trained
    int rank = 0;              // of an adapter in their place; 0: none
    std::optional<double> alpha;
    std::vector<std::string> targets;
    bool merges = false;  // as it would anyway
    bool writesAdapter = false;
    bool recomputes = false;
    std::string states = "f32";
};

void addAdapterOptions(CLI::App& command, LargeArguments& arguments);
void addMemoryOptions(CLI::App& command, LargeArguments& arguments);

train::Economy economyOf(const LargeArguments& arguments);

/// What an adapter's papers name as its base: the name in the download cache as it was given, else the folder.
/// Throws Failure for a model that PEFT cannot open.
std::string baseOf(const std::string& given, const model::ModelFiles& files);

}  // namespace hs::app
