#pragma once

#include "control/explorer/explorer.h"

namespace hs::panels {

/// The run whose tokens stand for the prompt. Null before the first run.
std::shared_ptr<const control::SideRun> tokenRun(const control::Explorer& explorer);

int tokenCount(const control::Explorer& explorer);

/// The label of the token at a position; empty if there is none.
QString tokenLabelAt(const control::Explorer& explorer, int position);

/// A token predicted by the shown run, in readable form.
QString predictedLabel(const control::SideState& state, std::int64_t id);

/// A model's title, or the side's name if there is none.
QString sideTitle(const control::Explorer& explorer, Side side);

}  // namespace hs::panels
