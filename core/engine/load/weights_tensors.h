#pragma once

#include "engine/device/torch.h"
#include "model/weight_plan.h"

#include <array>
#include <vector>

namespace hs::engine {

/// A model's tensors on their devices; a role that the architecture lacks is an undefined tensor,
/// which torch takes for "none".
struct ModelWeights {
    using Table = std::array<at::Tensor, model::kRoleCount>;

    Table shared;               // roles outside the layers
    std::vector<Table> layers;  // [layer]

    const at::Tensor& operator[](model::Role role) const { return shared[static_cast<int>(role)]; }
    const at::Tensor& at(int layer, model::Role role) const { return layers[layer][static_cast<int>(role)]; }

    void put(const model::PlannedTensor& planned, at::Tensor tensor)
    {
        const bool isShared = planned.role < model::Role::AttentionNormWeight;
        (isShared ? shared : layers[planned.layer])[static_cast<int>(planned.role)] = std::move(tensor);
    }
};

}  // namespace hs::engine
