#pragma once

#include "engine/device/torch.h"

namespace hs::train {

/// Draws one token a row from softmax(logits): the one into whose share of the probabilities, laid end to end in
/// the order of ids, the row's number falls. Sums are in float32 or wider, whatever the logits' type.
at::Tensor drawTokens(const at::Tensor& logits,    // [row, token]
                      const at::Tensor& numbers);  // [row] double, from 0 to 1, which is excluded

}  // namespace hs::train
