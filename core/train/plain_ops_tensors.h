#pragma once

#include "engine/decoder_tensors.h"
#include "train/fused_ops_tensors.h"

namespace hs {

/// fusedAttention's twin in torch's own operations: every map of weights in memory, gradients by
/// torch. `layer` is unpacked already.
GatedAttention plainAttention(const Projections& layer,   // [prompt * head, query, head size]
                              const at::Tensor& lengths,  // [prompt] int32
                              const at::Tensor& hidden,   // [query, key] bool
                              const std::optional<TrainingGate>& gate);

/// fusedTokenLosses' twin in torch's own operations.
TokenLosses plainTokenLosses(const at::Tensor& logits, const at::Tensor& teacher, const at::Tensor& targets);

}  // namespace hs
