#pragma once

#include "model/arch_spec.h"

#include <cstddef>

namespace hs::engine {

/// Activations in loops that the compiler vectorises. libtorch's own call the scalar math library on some
/// processors, which costs a seventh of a run of GPT-2. Relative error below 1e-6, in the far tails 1e-5.

bool hasCpuActivation(model::Activation activation);

/// x = f(x).
void activate(model::Activation activation, float* x, std::size_t count);

/// x = f(x) * factor, for gated MLPs.
void activateGated(model::Activation activation, float* x, const float* factor, std::size_t count);

/// The sum of e^(x - offset), where terms below e^-87 count as e^-87.
float sumOfExponentials(const float* x, std::size_t count, float offset);

}  // namespace hs::engine
