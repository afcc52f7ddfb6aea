#pragma once

#include "control/explorer/explorer.h"
#include "control/work/prediction_rows.h"

#include <vector>

namespace hs::panels {

using control::PredictionRow;
using figures::Probability;
using figures::ProbabilityChange;

/// control::predictionRows of the runs that the sides show.
std::vector<PredictionRow> predictionRows(const control::Explorer& explorer, int most = 10);

/// Whether a side shows a run with ablated heads, so that before and after differ.
bool hasAblations(const control::SideState& state);

/// "98.1 → 84.2 %"; "98.1 %" if only one is shown; "<0.1 %" for a bound.
QString describeChange(const ProbabilityChange& change, bool hasBefore, int decimals = 1);

}  // namespace hs::panels
