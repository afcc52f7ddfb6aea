#pragma once

#include "panels/inspector/inspector_maps.h"

#include <QStringList>

namespace hs::panels {

/// What the tokens along an axis are called: without the mark of a leading space where something
/// else is left.
QStringList axisLabels(const control::SideRun& run);

/// "query 14 “to” → key 2 “Mary”", or the one of the two there is; empty where both lie outside.
QString describeCell(const QStringList& labels, std::optional<int> query, std::optional<int> key);

/// "weight 0.961   score 4.81   gate open"; what a view shows beside these comes first.
QString describeValues(const CellValues& values, MapView view, bool hasGate);

/// "difference +0.120   left 0.200   right 0.320".
QString describeComparison(double left, double right);

/// "density 57.6 % · entropy 1.02 · peak 0.85 · previous 0.39 · first 0.06 · induction –".
QString describeStats(const stats::HeadStats& stats);

/// A view's name in the box that chooses it.
QString nameOf(MapView view);

}  // namespace hs::panels
