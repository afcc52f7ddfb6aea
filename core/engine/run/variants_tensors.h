#pragma once

#include "engine/run/run_memory_tensors.h"
#include "engine/run/variants.h"

namespace hs::engine {

/// Runs the variants portion by portion, the shortest first. Within one, a variant joins in the layer
/// and at the position where it first differs from the baseline, whose residual stream `memory` brings
/// up to date, and goes through the rest beside the others. Throws Failure.
VariantResult runVariants(RunMemory& memory, const VariantRequest& request, const Hooks& hooks,
                          const VariantNews& news);

}  // namespace hs::engine
