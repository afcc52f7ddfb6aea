#pragma once

#include "control/work/side_run.h"
#include "figures/parts/probability.h"

#include <array>
#include <optional>
#include <vector>

namespace hs::control {

/// What a token predicted by the run stands for; "#7" if neither the tokenizer nor the prompt has it.
std::string predictedText(const SideRun& run, std::int64_t id);

/// A token that one of the sides predicts, and its probability on both. [Side]
struct PredictionRow {
    std::string text;  // of the token
    QString label;     // in readable form
    std::array<std::optional<figures::ProbabilityChange>, 2> sides;

    friend bool operator==(const PredictionRow&, const PredictionRow&) = default;
};

/// The tokens most probable on any side, before or after ablation; sorted by the left side's probability.
/// Tokens of different models are the same if their texts are. `runs` may be null. [Side]
std::vector<PredictionRow> predictionRows(const std::array<std::shared_ptr<const SideRun>, 2>& runs,
                                          int most);

}  // namespace hs::control
