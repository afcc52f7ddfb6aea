#pragma once

#include "engine/run_memory_tensors.h"
#include "engine/variants.h"

namespace hs {

/// Runs all variants in one pass over the layers: one joins where it first differs from the baseline,
/// whose residual stream `memory` brings up to date, and goes through the rest beside the others.
/// Throws Failure.
VariantResult runVariants(RunMemory& memory, const VariantRequest& request, const Hooks& hooks);

}  // namespace hs
