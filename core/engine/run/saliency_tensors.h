#pragma once

#include "base/hooks.h"
#include "engine/run/saliency.h"

namespace hs::engine {

/// Computes it with one pass forward and one backward a step, holding one residual stream at a time. Throws Failure.
Saliency saliencyOf(const SaliencyRequest& request, const Hooks& hooks);

}  // namespace hs::engine
