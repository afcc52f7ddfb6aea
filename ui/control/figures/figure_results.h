#pragma once

#include "analyses/circuit.h"
#include "analyses/history.h"
#include "base/head_id.h"
#include "engine/run/attribution.h"
#include "figures/presets/explained_effect_figure.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hs::control {

/// What one cell contributes to the explained logit.
struct CellContribution {
    HeadId head;
    int query = 0;
    int key = 0;
    double value = 0;
};

/// Readers of analysis results as the command line writes them; untrusted text. Each throws Failure
/// with what is missing and which command writes it.

/// Heads in ranked order: from `circuit` (JSON) as given, from `attribute` (JSON) and `sweep` (CSV) by
/// the magnitude of their effect.
std::vector<HeadId> readRanking(const std::string& text);

/// The edges of `attribute`.
std::vector<CellContribution> readContributions(const std::string& text);

/// What `attribute` says that heads together, and each MLP, add to the logit.
struct WrittenSums {
    double logit = 0;
    double heads = 0;
    std::vector<std::pair<HeadId, double>> mlps;  // the largest first
};
WrittenSums readWrittenSums(const std::string& text);
WrittenSums writtenSums(const engine::Attribution& attribution);

/// What `metrics --over-training` found.
analyses::History readHistory(const std::string& text);

/// The curve of `circuit`.
figures::EffectCurve readCurve(const std::string& text);

/// What a `circuit` consists of.
analyses::CircuitUnits readUnits(const std::string& text);

}  // namespace hs::control
