#pragma once

#include "panels/inspector/inspector_maps.h"

#include <QStringList>

namespace hs::panels {

/// Names of the tokens along an axis: without the mark for a leading space, unless that is all.
AxisLabels axisLabels(const control::SideRun& run);

/// "query 14 “to” → keys 2–3 “M|ary”", or only one of them; empty if both are outside.
QString describeCell(const AxisLabels& labels, std::optional<text::TokenSpan> query,
                     std::optional<text::TokenSpan> key);

/// "weight 0.961   score 4.81   gate open"; what a view shows in addition comes first.
QString describeValues(const CellValues& values, MapView view, bool hasScores, bool hasGate);

/// "difference +0.120   left 0.200   right 0.320".
QString describeComparison(double left, double right);

/// "density 57.6 % · entropy 1.02 · peak 0.85 · previous 0.39 · first 0.06 · induction 0.12", without what these
/// tokens cannot have.
QString describeStats(const stats::HeadStats& stats);

/// A view's name in the box that chooses it.
QString nameOf(MapView view);

}  // namespace hs::panels
