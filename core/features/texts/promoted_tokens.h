#pragma once

#include "base/feature_id.h"
#include "engine/load/model.h"
#include "features/coders/transcoders.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hs::features {

/// A token of the vocabulary and what a feature adds to its logit for each unit of activation, by what it writes
/// alone; the scale of the final norm, which depends on the run, is left out.
struct TokenWeight {
    std::int64_t token = 0;
    double weight = 0;
};

struct PromotedTokens {
    std::vector<TokenWeight> most;   // largest first
    std::vector<TokenWeight> least;  // most negative first
};

/// The `count` tokens that each feature promotes, and suppresses, most. Throws Failure.
std::vector<PromotedTokens> promotedTokens(const engine::Model& model, const Transcoders& coders,
                                           std::span<const FeatureId> features, int count);

}  // namespace hs::features
