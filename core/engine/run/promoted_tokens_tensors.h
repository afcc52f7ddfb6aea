#pragma once

#include "engine/device/torch.h"
#include "engine/run/promoted_tokens.h"

namespace hs::engine {

/// The `count` tokens with the largest weights, and with the smallest, of each row. [row, vocabulary]
std::vector<PromotedTokens> promotedTokens(const at::Tensor& weights, int count);

}  // namespace hs::engine
