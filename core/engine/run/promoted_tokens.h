#pragma once

#include <cstdint>
#include <vector>

namespace hs::engine {

/// A token of the vocabulary, and by how much something raises its logit or its score.
struct TokenWeight {
    std::int64_t token = 0;
    double weight = 0;
};

struct PromotedTokens {
    std::vector<TokenWeight> most;   // largest first
    std::vector<TokenWeight> least;  // most negative first
};

}  // namespace hs::engine
