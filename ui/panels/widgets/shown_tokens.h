#pragma once

#include "control/explorer/explorer.h"

namespace hs::panels {

/// The run whose tokens stand for both sides: the left one's, the right one's where it is the only
/// one there or the only one shown. Null before the first run.
std::shared_ptr<const control::SideRun> tokenRun(const control::Explorer& explorer);

int tokenCount(const control::Explorer& explorer);

/// The label of the token at a position; empty where there is none.
QString tokenLabelAt(const control::Explorer& explorer, int position);

/// What a predicted token stands for, "#7" where the model has no tokenizer to ask.
std::string predictedText(const control::SideState& state, std::int64_t id);
/// The same as people can read it.
QString predictedLabel(const control::SideState& state, std::int64_t id);

/// A model's title, or which side it is while there is none.
QString sideTitle(const control::Explorer& explorer, control::Side side);

}  // namespace hs::panels
