#pragma once

#include "engine/request/run_result.h"
#include "engine/run/run_memory_tensors.h"

#include <span>
#include <vector>

namespace hs::engine {

/// Indices of the largest numbers, the largest first; among equal ones the first.
std::vector<std::int64_t> largest(std::span<const float> numbers, int count);

/// Reads predictions, and loss and logits where asked for, off the last residual of a run that is done or
/// queued, and settles it.
void readOut(const Decoder& decoder, RunMemory& memory, const RunRequest& request, const Hooks& hooks,
             RunResult& result);

/// The most probable tokens and those that are watched, from one position's logits. [vocabulary]
void readPredictions(const at::Tensor& logits, const Capture& capture, RunResult& result);

/// Sum of the next tokens' negative log probabilities over rows of logits that start at `first`.
double lossOf(const at::Tensor& logits,  // [row, vocabulary]
              std::int64_t first, const std::vector<std::int64_t>& tokens);

/// The same for prompts of one length that went side by side, given the last residual. [prompt * query and more, hidden]
/// Logits are not kept.
void readOutTogether(const Decoder& decoder, const at::Tensor& residual, std::span<const RunRequest> requests,
                     const Hooks& hooks, std::vector<RunResult>& results);

/// Fills a result with what the layers' records hold.
void collect(const RunRequest& request, const std::vector<LayerRecord>& records, RunResult& result);

}  // namespace hs::engine
