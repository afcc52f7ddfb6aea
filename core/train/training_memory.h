#pragma once

#include "engine/load/model.h"
#include "model/arch_spec.h"
#include "model/dtype.h"

#include <cstdint>

namespace hs::train {

/// What decides how much memory a training takes, besides the model's shape.
struct TrainingSize {
    std::int64_t tokens = 0;  // of the first step, padding included
    bool distils = false;
    model::DType computedIn = model::DType::F32;
};

/// The least bytes a training takes on its device: weights and all vectors that go with them, and what a
/// step keeps for its gradients.
std::uint64_t leastTrainingMemory(const model::ArchSpec& spec, const TrainingSize& size);

/// Throws Failure if even that is not free: better now than when the system kills the program.
void requireTrainingMemory(const model::ArchSpec& spec, const TrainingSize& size, engine::Device device);

/// Throws Failure for a model whose layers are on several devices: gradients need all of them on one.
void requireOneDevice(const engine::Model& model);

}  // namespace hs::train
