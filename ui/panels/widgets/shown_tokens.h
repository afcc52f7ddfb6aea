#pragma once

#include "control/explorer/explorer.h"

#include <QStringList>

namespace hs::panels {

/// The run whose tokens stand for the prompt. Null before the first run.
std::shared_ptr<const control::SideRun> tokenRun(const control::Explorer& explorer);

/// Names of a map's tokens along its axes.
struct AxisLabels {
    QStringList queries;
    QStringList keys;

    friend bool operator==(const AxisLabels&, const AxisLabels&) = default;
};

/// Along an axis of maps: blocks where there are any.
int tokenCount(const control::Explorer& explorer, control::Axis axis);

/// The label of the token at a position; empty if there is none.
QString tokenLabelAt(const control::Explorer& explorer, control::Axis axis, int position);

/// A token predicted by the shown run, in readable form.
QString predictedLabel(const control::SideState& state, std::int64_t id);

/// A token of a model's vocabulary, in readable form; "#7" if there is no tokenizer.
QString tokenName(const service::OpenModel& model, std::int64_t id);

/// A model's title, or the side's name if there is none.
QString sideTitle(const control::Explorer& explorer, Side side);

}  // namespace hs::panels
