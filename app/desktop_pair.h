#pragma once

#include "arguments.h"
#include "render/figure.h"

#include <string>

namespace hs {

/// What stands side by side when nothing else is said: the demo pair on a prompt of its own.
struct PairArguments {
    std::string dense = "demo:dense";
    std::string sparse = "demo:sparse";
    PromptArguments prompt;
    RunArguments run;
    std::string device = "auto";
    std::string dtype = "auto";
};

void addPairOptions(CLI::App& command, PairArguments& arguments);

/// Runs both models and lays out their heads, layers down and heads across. Throws Failure.
GridFigure runPair(const PairArguments& arguments);

}  // namespace hs
