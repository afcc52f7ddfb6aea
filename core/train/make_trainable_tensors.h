#pragma once

#include "train/economy.h"
#include "train/trainable_tensors.h"

#include <memory>

namespace hs::train {

/// What is trained of a model: an adapter, or weights. `start`, if any, is where a training starts, and what is not
/// trained; it is on one device and outlives the result. Throws Failure.
std::unique_ptr<Trainable> makeTrainable(const model::ArchSpec& spec, const engine::ModelWeights* start,
                                         const Economy& economy);

}  // namespace hs::train
