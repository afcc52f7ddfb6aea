#pragma once

#include "control/document/side.h"
#include "figures/parts/data_table.h"
#include "figures/presets/explained_effect_figure.h"
#include "panels/analyses/attribution/attribution_reading.h"
#include "panels/analyses/head_bars.h"

#include <QStringList>

namespace hs::panels {

/// Heads that contribute anything as bars, the first `carrying` of them chosen.
std::vector<HeadBar> contributionBars(const engine::Attribution& attribution, int carrying,
                                      const QStringList& tokens);

/// A share curve to plot; of many units not every count.
figures::EffectCurve shareCurve(const QString& title, const MassCurve& mass);

/// Every head and every edge with what it adds; heads have no key. A side that is null is left out.
figures::DataTable attributionTable(const std::array<const engine::Attribution*, 2>& sides);

}  // namespace hs::panels
