#pragma once

#include "app/support/arguments.h"
#include "control/document/document.h"

#include <optional>
#include <string>
#include <vector>

namespace hs::app {

/// The options of a figure's command line that override its recipe; the rest of the recipe stays.
struct FigureOptions {
    std::string preset;
    std::string dense;
    std::string sparse;
    std::string host;  // of the models; empty: this machine, or the recipe's
    PromptArguments prompt;
    RunArguments run;
    OtherSide other;
    std::string only;  // dense or sparse
    std::string denseHeads, sparseHeads, heads;
    std::string denseTitle, sparseTitle;
    std::string denseResult, sparseResult;
    std::string denseFeatures, sparseFeatures;
    std::string order;
    bool isAscending = false;
    bool hasOnlyActive = false;
    bool hasAll = false;
    std::optional<int> layerStep;
    std::string headRange;  // 0-15
    std::optional<int> columns;
    bool isStacked = false;
    bool isSideBySide = false;
    std::optional<int> key, query;
    bool isOneBased = false;
    std::optional<double> threshold, share, level;
    std::string metric, units, target, versus, corrupted;
    std::string width;  // 85, 85mm, 3.5in, one, two
    std::optional<std::string> font;
    std::optional<double> fontSize, lineWidth, dotsPerInch;
    bool isTransparent = false;
    std::string colours, scale, limits, labels;
    bool isPerHead = false;
    bool hasNoColourBar = false;
    std::optional<std::string> caption;
    bool hasNoCaption = false;
};

void addFigureOptions(CLI::App& command, FigureOptions& options);

/// Changes the document as the options say, except for head lists, which need the models. Throws Failure.
void applyOptions(const FigureOptions& options, control::Document& document);

/// Applies the options that name heads, once the side's model is known. Throws Failure.
void applyHeads(const FigureOptions& options, Side side, const HeadShape& shape, control::Document& document);

}  // namespace hs::app
