#pragma once

#include "base/head_id.h"
#include "figures/presets/explained_effect_figure.h"

#include <optional>
#include <string>
#include <vector>

namespace hs::control {

/// What one cell contributes to the logit that is explained.
struct CellContribution {
    HeadId head;
    int query = 0;
    int key = 0;
    double value = 0;
};

/// Readers of analyses' results as the command line writes them; untrusted text. Each throws Failure
/// with what is missing and which command writes it.

/// Heads in ranked order: of `circuit` (JSON) as given, of `attribute` (JSON) and `sweep` (CSV) by the
/// magnitude of their effect.
std::vector<HeadId> readRanking(const std::string& text);

/// The edges of `attribute`.
std::vector<CellContribution> readContributions(const std::string& text);

/// The curve of `circuit`.
figures::EffectCurve readCurve(const std::string& text);

/// Whether a `circuit` is of edges; else it is of heads.
bool isOfEdges(const std::string& text);

}  // namespace hs::control
