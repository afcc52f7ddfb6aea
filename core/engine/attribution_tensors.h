#pragma once

#include "engine/attribution.h"
#include "engine/run_memory_tensors.h"

namespace hs {

/// Attribution of a run that `memory` holds, as far as it does, and otherwise brings up to date.
/// Throws Failure.
Attribution attributeRun(RunMemory& memory, const AttributionRequest& request, const Hooks& hooks);

}  // namespace hs
