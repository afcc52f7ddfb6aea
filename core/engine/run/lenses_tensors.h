#pragma once

#include "engine/run/head_write.h"
#include "engine/run/lens.h"
#include "engine/run/run_memory_tensors.h"
#include "engine/run/saliency.h"

namespace hs::engine {

// What lenses see of a run; those that take `memory` bring it up to date with the run first. All throw Failure.

Lens lensOf(RunMemory& memory, const RunRequest& run, bool withHalves, const Hooks& hooks);

/// As many tokens as the run captures predictions, where it reads them.
HeadWrite headWriteOf(RunMemory& memory, const RunRequest& run, HeadId head, std::optional<int> key,
                      const Hooks& hooks);

/// With one pass forward and one backward a step, holding one residual stream at a time.
Saliency saliencyOf(const SaliencyRequest& request, const Hooks& hooks);

}  // namespace hs::engine
