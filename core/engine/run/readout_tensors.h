#pragma once

#include "engine/request/run_result.h"
#include "engine/run/run_memory_tensors.h"

#include <span>

namespace hs::engine {

/// Indices of the largest numbers, the largest first; among equal ones the first.
std::vector<std::int64_t> largest(std::span<const float> numbers, int count);

/// Reads predictions, and loss and logits where asked for, off the last residual of a run that is done or
/// queued, and settles it.
void readOut(const Decoder& decoder, RunMemory& memory, const RunRequest& request, const Hooks& hooks,
             RunResult& result);

}  // namespace hs::engine
