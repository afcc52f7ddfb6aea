#pragma once

#include "engine/run/head_outputs_tensors.h"
#include "engine/run/run_memory_tensors.h"

#include <memory>

namespace hs::engine {

/// How the logit of `target` minus that of `versus`, read at the run's position, changes with every
/// head's output z: gradients take the place of the outputs. Gates are held constant. One layer is
/// differentiated at a time, from the residual stream that `memory` keeps. Throws Failure.
std::shared_ptr<const HeadOutputs> headGradients(RunMemory& memory, const RunRequest& run,
                                                 std::int64_t target, std::optional<std::int64_t> versus,
                                                 const Hooks& hooks);

}  // namespace hs::engine
