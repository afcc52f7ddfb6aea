#pragma once

#include "engine/circuit.h"
#include "figures/data_table.h"
#include "figures/explained_effect_figure.h"
#include "panels/head_bar.h"

#include <array>

namespace hs {

/// What the ranking of a circuit goes by.
double rankedEffect(const CircuitUnit& unit, CircuitRanking ranking);

/// Ranks of the units in the circuit: the refined ones where there are any, else the first `count`.
std::vector<int> keptRanks(const Circuit& circuit, std::optional<int> count);

/// Heads of these units, each once, the most important first.
std::vector<HeadId> headsAt(const Circuit& circuit, const std::vector<int>& ranks);

/// The first units, as many as anyone scrolls through; those in `kept` are chosen.
std::vector<HeadBar> circuitBars(const Circuit& circuit, const std::vector<int>& kept);

EffectCurve effectCurve(const Circuit& circuit, const QString& title);

/// "9.5× fewer heads", and that of the refined circuits; empty where there is nothing to compare. [Side]
QString factorText(const std::array<const Circuit*, 2>& circuits);

/// One row a unit by rank, with the explained effect of it and all before it where that was run. [Side]
DataTable circuitTable(const std::array<const Circuit*, 2>& circuits);

/// "heads" or "edges".
QString unitsName(CircuitUnits units);

}  // namespace hs
