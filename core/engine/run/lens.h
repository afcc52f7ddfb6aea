#pragma once

#include "engine/request/run_result.h"

#include <cstdint>
#include <vector>

namespace hs::engine {

/// Where a token stands among all tokens.
struct TokenRank {
    std::int64_t rank = 1;  // 1: the most probable; among equal ones the first
    double probability = 0;

    friend bool operator==(const TokenRank&, const TokenRank&) = default;
};

/// What a model would predict at one position if it ended at some depth.
struct LensReading {
    int position = 0;
    std::vector<Prediction> top;     // most probable first
    std::vector<TokenRank> watched;  // of Capture::watched, in that order

    friend bool operator==(const LensReading&, const LensReading&) = default;
};

/// The logit lens at one depth: final norm, unembedding and soft cap applied to the residual stream there.
struct LensLayer {
    /// Layers passed: 0 is the embedding, the model's number of layers its prediction. With a half: between
    /// attention and MLP of the layer below.
    double layer = 0;
    std::vector<LensReading> positions;

    friend bool operator==(const LensLayer&, const LensLayer&) = default;
};

using Lens = std::vector<LensLayer>;  // from the embedding on

}  // namespace hs::engine
