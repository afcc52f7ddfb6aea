#pragma once

#include "app/desktop/figure_options.h"

#include <string>

namespace hs::app {

/// What `figure` is asked to draw, and where to.
struct FigureArguments {
    std::string recipe;  // the file of a spec, a session or a figure
    std::string out;
    std::string data;
    std::string spec;
    std::string device = "auto";
    std::string dtype = "auto";
    bool listsPresets = false;
    FigureOptions options;
};

/// Draws a figure into its file. Throws Failure.
void drawFigure(const FigureArguments& arguments);

}  // namespace hs::app
