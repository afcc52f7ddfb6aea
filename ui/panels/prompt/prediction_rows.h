#pragma once

#include "control/explorer/explorer.h"

#include <array>
#include <optional>
#include <vector>

namespace hs::panels {

/// A probability; only an upper bound for a token beyond those a run lists.
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

/// A token that one of the sides predicts, and its probability on both. [Side]
struct PredictionRow {
    std::string text;  // of the token
    QString label;     // in readable form
    std::array<std::optional<ProbabilityChange>, 2> sides;

    friend bool operator==(const PredictionRow&, const PredictionRow&) = default;
};

/// The tokens most probable on any side, before or after ablation; sorted by the left side's probability.
/// Tokens of different models are the same if their texts are.
std::vector<PredictionRow> predictionRows(const control::Explorer& explorer, int most = 10);

/// Whether a side shows a run with ablated heads, so that before and after differ.
bool hasAblations(const control::SideState& state);

/// "98.1 → 84.2 %"; "98.1 %" if only one is shown; "<0.1 %" for a bound.
QString describeChange(const ProbabilityChange& change, bool hasBefore, int decimals = 1);

}  // namespace hs::panels
