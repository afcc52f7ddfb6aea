#pragma once

#include "service/backend.h"

namespace hs::service {

/// Compares the heads of two sides that need not have the same backend: their tokens are the same if their texts
/// are, and of different texts those that stand for each other are compared. `request` is a Compare.
Result<AnalysisResult> compareSides(Backend& first, Backend& second, const AnalysisRequest& request,
                                    const Hooks& hooks);

}  // namespace hs::service
