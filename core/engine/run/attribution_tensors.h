#pragma once

#include "engine/run/attribution.h"
#include "engine/run/run_memory_tensors.h"

namespace hs::engine {

/// Attribution of a run, which `memory` is brought up to date with first. Throws Failure.
Attribution attributeRun(RunMemory& memory, const AttributionRequest& request, const Hooks& hooks);

}  // namespace hs::engine
