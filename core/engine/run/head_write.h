#pragma once

#include "base/head_id.h"
#include "engine/run/promoted_tokens.h"

#include <optional>
#include <vector>

namespace hs::engine {

/// What a head, one cell of it or an MLP adds to the logits at a position of a run. Norms between it and the logits are
/// linear maps, their scales frozen at their values in the run, so that a head is the sum of its cells, and all
/// heads and the rest of the model are the logits before a soft cap.
struct HeadWrite {
    HeadId head;
    int query = 0;
    std::optional<int> key;       // of the cell; none: the head with all of them
    std::vector<double> weights;  // [key] of the query's row; none of an MLP
    PromotedTokens tokens;
};

}  // namespace hs::engine
