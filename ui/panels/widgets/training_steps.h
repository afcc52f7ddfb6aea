#pragma once

#include "control/explorer/explorer.h"

#include <optional>

namespace hs::panels {

/// The step of its training at which a side's model is, or will be once it is open; none if no others are known.
std::optional<std::size_t> stepShown(const control::Explorer& explorer, Side side);

/// Opens another step of a side's model. Consecutive ones with the same key are one step to undo.
void showStep(control::Explorer& explorer, Side side, std::size_t step, const QString& mergeKey = {});

/// "step 1,500".
QString stepWords(const service::OpenModel& model, std::size_t step);

}  // namespace hs::panels
