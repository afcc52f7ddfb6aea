#pragma once

#include "engine/run/attribution.h"
#include "engine/run/run_memory_tensors.h"

namespace hs::engine {

/// Attribution of a run that `memory` holds, as far as it does, and otherwise brings up to date.
/// Throws Failure.
Attribution attributeRun(RunMemory& memory, const AttributionRequest& request, const Hooks& hooks);

}  // namespace hs::engine
