#pragma once

#include "base/side.h"
#include "figures/parts/data_table.h"
#include "panels/analyses/scatter/cell_scatter.h"
#include "stats/head_scatter.h"

#include <optional>
#include <utility>

namespace hs::panels {

/// Heads of a typed list, "L0H0, L2H*", that either model has; each once. An empty text gives none.
Result<std::vector<HeadId>> headsIn(const QString& text, const std::array<HeadShape, 2>& shapes);

/// "L0H0, L2H3".
QString headsText(const std::vector<HeadId>& heads);

/// The two different heads with the largest correlation.
std::optional<std::pair<HeadId, HeadId>> mostAlike(const stats::HeadScatter& scatter);

/// A pair's weights, cell by cell, with its correlation in the title; empty if a head is missing.
ScatterPoints pointsOf(const stats::HeadScatter& scatter, HeadId across, HeadId up, const QString& title);

/// Correlation and cluster of every pair. A null side is left out.
figures::DataTable scatterTable(const std::array<const stats::HeadScatter*, 2>& sides);

}  // namespace hs::panels
