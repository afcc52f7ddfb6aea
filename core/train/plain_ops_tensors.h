#pragma once

#include "engine/run/decoder_tensors.h"
#include "train/fused_ops_tensors.h"

namespace hs::train {

/// fusedAttention's twin in torch's own operations: every map of weights in memory, gradients by
/// torch. `layer` is already unpacked.
GatedAttention plainAttention(const engine::Projections& layer,  // [prompt * head, query, head size]
                              const at::Tensor& lengths,         // [prompt] int32
                              const at::Tensor& hidden,          // [query, key] bool
                              const std::optional<TrainingGate>& gate);

/// fusedTokenLosses' twin in torch's own operations.
TokenLosses plainTokenLosses(const at::Tensor& logits, const at::Tensor& teacher, const at::Tensor& targets);

}  // namespace hs::train
