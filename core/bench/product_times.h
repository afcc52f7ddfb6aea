#pragma once

#include "engine/load/model.h"

#include <optional>

namespace hs::bench {

/// Microseconds that the four products of a layer take by themselves, over the weights of all layers in
/// turn, for a prompt of so many tokens; none if the model is not entirely on one GPU.
std::optional<double> timeProducts(const engine::Model& model, int tokens);

}  // namespace hs::bench
