#pragma once

#include "base/feature_id.h"
#include "engine/load/model.h"
#include "engine/run/promoted_tokens.h"
#include "features/coders/transcoders.h"

#include <span>
#include <vector>

namespace hs::features {

/// The `count` tokens that each feature promotes, and suppresses, most: by what it adds to their logits for each unit
/// of activation, by what it writes alone; the scale of the final norm, which depends on the run, is left out. Throws
/// Failure.
std::vector<engine::PromotedTokens> promotedTokens(const engine::Model& model, const Transcoders& coders,
                                                   std::span<const FeatureId> features, int count);

}  // namespace hs::features
