#pragma once

#include "analyses/circuit.h"
#include "figures/parts/data_table.h"
#include "figures/presets/explained_effect_figure.h"
#include "panels/analyses/circuit/path_graph.h"
#include "panels/analyses/head_bar.h"

#include <array>

namespace hs::panels {

/// As many paths as a graph shows legibly: the chosen ones.
inline constexpr int kShownPaths = 24;

/// The effect that a ranking is based on.
double rankedEffect(const analyses::CircuitUnit& unit, analyses::CircuitRanking ranking);

/// Ranks of the units in the circuit: the first `count` if given, else the refined ones if any, else those of
/// the smallest circuit, or the paths that are shown.
std::vector<int> keptRanks(const analyses::Circuit& circuit, std::optional<int> count);

/// Heads of these units, each once, most important first.
std::vector<HeadId> headsAt(const analyses::Circuit& circuit, const std::vector<int>& ranks);

/// The first units, as many as anyone would scroll through; those in `kept` are chosen.
std::vector<HeadBar> circuitBars(const analyses::Circuit& circuit, const std::vector<int>& kept);

/// The paths that are shown, but for those that do next to nothing; none of other units.
PathLines pathLines(const analyses::Circuit& circuit, const QString& title);

figures::EffectCurve effectCurve(const analyses::Circuit& circuit, const QString& title);

/// "9.5× fewer heads", also for the refined circuits; empty if there is nothing to compare. [Side]
QString factorText(const std::array<const analyses::Circuit*, 2>& circuits);

/// One row per unit by rank, with the explained effect up to and including it, if that was run. [Side]
figures::DataTable circuitTable(const std::array<const analyses::Circuit*, 2>& circuits);

}  // namespace hs::panels
