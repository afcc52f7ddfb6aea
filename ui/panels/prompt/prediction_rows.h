#pragma once

#include "control/explorer/explorer.h"

#include <array>
#include <optional>
#include <vector>

namespace hs::panels {

/// A probability; of a token beyond the ones a run brought home only an upper bound is known.
struct Probability {
    double value = 0;
    bool isBound = false;

    friend bool operator==(const Probability&, const Probability&) = default;
};

struct ProbabilityChange {
    Probability before;
    Probability after;

    friend bool operator==(const ProbabilityChange&, const ProbabilityChange&) = default;
};

/// A token that one of the sides predicts, and what both give it. [Side]
struct PredictionRow {
    std::string text;  // of the token
    QString label;     // the same as people can read it
    std::array<std::optional<ProbabilityChange>, 2> sides;

    friend bool operator==(const PredictionRow&, const PredictionRow&) = default;
};

/// The tokens most probable on any side, before or after ablation; the left side's most probable
/// first. Tokens of different models are the same where they read the same.
std::vector<PredictionRow> predictionRows(const control::Explorer& explorer, int most = 10);

/// Whether a side shows a run with ablated heads, so that before and after differ.
bool hasAblations(const control::SideState& state);

/// "98.1 → 84.2 %"; "98.1 %" where only one is to be shown; "<0.1 %" for a bound.
QString describeChange(const ProbabilityChange& change, bool hasBefore, int decimals = 1);

}  // namespace hs::panels
