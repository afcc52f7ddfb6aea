#pragma once

#include "engine/model.h"

#include <optional>

namespace hs {

/// Microseconds that the four products of a layer take by themselves, over the weights of all layers in turn,
/// for a prompt of so many tokens; none where the model is not on a GPU.
std::optional<double> timeProducts(const Model& model, int tokens);

}  // namespace hs
