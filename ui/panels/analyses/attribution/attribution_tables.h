#pragma once

#include "base/side.h"
#include "figures/parts/data_table.h"
#include "figures/presets/explained_effect_figure.h"
#include "panels/analyses/attribution/attribution_reading.h"
#include "panels/analyses/head_bars.h"

#include <QStringList>

namespace hs::panels {

/// Bars of all heads that contribute anything, the first `carrying` of them chosen.
std::vector<HeadBar> contributionBars(const engine::Attribution& attribution, int carrying,
                                      const QStringList& tokens);

/// A share curve to plot; for many units only some of the counts.
figures::EffectCurve shareCurve(const QString& title, const MassCurve& mass);

/// Every contributing head and every edge with its contribution; heads have no key. A null side is left out.
figures::DataTable attributionTable(const std::array<const engine::Attribution*, 2>& sides);

}  // namespace hs::panels
