#pragma once

#include "analyses/circuit.h"
#include "figures/parts/data_table.h"
#include "figures/presets/explained_effect_figure.h"
#include "panels/analyses/head_bar.h"

#include <array>

namespace hs::panels {

/// What the ranking of a circuit goes by.
double rankedEffect(const analyses::CircuitUnit& unit, analyses::CircuitRanking ranking);

/// Ranks of the units in the circuit: the refined ones where there are any, else the first `count`.
std::vector<int> keptRanks(const analyses::Circuit& circuit, std::optional<int> count);

/// Heads of these units, each once, the most important first.
std::vector<HeadId> headsAt(const analyses::Circuit& circuit, const std::vector<int>& ranks);

/// The first units, as many as anyone scrolls through; those in `kept` are chosen.
std::vector<HeadBar> circuitBars(const analyses::Circuit& circuit, const std::vector<int>& kept);

figures::EffectCurve effectCurve(const analyses::Circuit& circuit, const QString& title);

/// "9.5× fewer heads", and that of the refined circuits; empty where there is nothing to compare. [Side]
QString factorText(const std::array<const analyses::Circuit*, 2>& circuits);

/// One row a unit by rank, with the explained effect of it and all before it where that was run. [Side]
figures::DataTable circuitTable(const std::array<const analyses::Circuit*, 2>& circuits);

/// "heads" or "edges".
QString unitsName(analyses::CircuitUnits units);

}  // namespace hs::panels
