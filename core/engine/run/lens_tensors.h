#pragma once

#include "engine/run/lens.h"
#include "engine/run/run_memory_tensors.h"

namespace hs::engine {

/// The lens on a run, which `memory` is brought up to date with first. Throws Failure.
Lens lensOf(RunMemory& memory, const RunRequest& run, bool withHalves, const Hooks& hooks);

}  // namespace hs::engine
