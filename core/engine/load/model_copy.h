#pragma once

#include "base/hooks.h"
#include "engine/load/model.h"

#include <memory>

namespace hs::engine {

/// The same weights, bit for bit, on another device: those of a model's first `layers` layers, between its embedding
/// and what comes after the last one. Throws Failure when it is cancelled.
std::shared_ptr<const Model> copyModel(const Model& model, Device device, int layers, const Hooks& hooks);

/// The bytes that such a copy takes.
std::uint64_t copiedBytes(const Model& model, int layers);

}  // namespace hs::engine
