#pragma once

#include "control/side.h"
#include "figures/data_table.h"
#include "figures/explained_effect_figure.h"
#include "panels/attribution_reading.h"
#include "panels/head_bars.h"

#include <QStringList>

namespace hs {

/// Heads that contribute anything as bars, the first `carrying` of them chosen.
std::vector<HeadBar> contributionBars(const Attribution& attribution, int carrying,
                                      const QStringList& tokens);

/// A share curve to plot; of many units not every count.
EffectCurve shareCurve(const QString& title, const MassCurve& mass);

/// Every head and every edge with what it adds; heads have no key. A side that is null is left out.
DataTable attributionTable(const std::array<const Attribution*, 2>& sides);

}  // namespace hs
