#pragma once

#include "engine/device/torch.h"
#include "model/weight_plan.h"

#include <array>
#include <vector>

namespace hs::engine {

/// What is added to some rows of a projection: scale · up · down, which is never multiplied out.
struct LowRankChange {
    std::int64_t row = 0;  // the first of the decoder's tensor
    double scale = 1;
    at::Tensor down;  // [rank, in] float, where the projection is
    at::Tensor up;    // [out, rank]
};

/// What adapters add to each projection.
struct AdapterWeights {
    using Table = std::array<std::vector<LowRankChange>, model::kRoleCount>;

    std::vector<Table> layers;  // [layer]

    const std::vector<LowRankChange>& at(int layer, model::Role role) const
    {
        return layers[layer][static_cast<int>(role)];
    }
};

}  // namespace hs::engine
