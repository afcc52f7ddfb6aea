#pragma once

#include "engine/run/head_write.h"
#include "engine/run/run_memory_tensors.h"

namespace hs::engine {

/// As many tokens as the run captures predictions, where it reads them. `memory` is brought up to date with the run
/// first. Throws Failure.
HeadWrite headWriteOf(RunMemory& memory, const RunRequest& run, HeadId head, std::optional<int> key,
                      const Hooks& hooks);

}  // namespace hs::engine
