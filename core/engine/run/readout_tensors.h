#pragma once

#include "engine/request/run_result.h"
#include "engine/run/run_memory_tensors.h"

namespace hs::engine {

/// Reads predictions, and loss and logits where asked for, off the last residual of a run that is done or
/// queued, and settles it.
void readOut(const Decoder& decoder, RunMemory& memory, const RunRequest& request, const Hooks& hooks,
             RunResult& result);

}  // namespace hs::engine
