#pragma once

#include "model/weight_plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hs::model {

/// A linear module of a layer as the model's own library has it, which adapters change: all of a tensor of the decoder,
/// or some rows of it.
struct LinearModule {
    Role role = Role::QkvWeight;
    Arrangement arrangement = Arrangement::Stacked;
    std::string name;      // without the prefixes that checkpoints differ in: "h.0.attn.c_attn"
    std::int64_t row = 0;  // first of the decoder's tensor
    std::int64_t out = 0;  // rows
    std::int64_t in = 0;
};

/// Every projection of the layers, each role's in the order of its rows. [layer]
std::vector<std::vector<LinearModule>> linearModules(const ArchSpec& spec);

bool isAttentionWeight(Role role);
/// Whether the role is a projection of the layers, which alone have linear modules.
bool isProjection(Role role);

}  // namespace hs::model
