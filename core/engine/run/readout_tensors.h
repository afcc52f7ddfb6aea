#pragma once

#include "engine/request/run_result.h"
#include "engine/run/run_memory_tensors.h"

#include <span>
#include <vector>

namespace hs::engine {

/// Reads predictions, and loss and logits where asked for, off the last residual of a run that is done or
/// queued, and settles it.
void readOut(const Decoder& decoder, RunMemory& memory, const RunRequest& request, const Hooks& hooks,
             RunResult& result);

/// The same for prompts of one length that went side by side, given the last residual. [prompt * query and more, hidden]
/// Logits are not kept.
void readOutTogether(const Decoder& decoder, const at::Tensor& residual, std::span<const RunRequest> requests,
                     const Hooks& hooks, std::vector<RunResult>& results);

/// Fills a result with what the layers' records hold.
void collect(const RunRequest& request, const std::vector<LayerRecord>& records, RunResult& result);

}  // namespace hs::engine
