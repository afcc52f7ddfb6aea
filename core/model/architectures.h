#pragma once

#include "base/json.h"
#include "base/result.h"
#include "model/arch_spec.h"

#include <string>
#include <vector>

namespace hs::model {

/// Reads a Hugging Face config.json of transformers 4 or 5. A new architecture is an entry in the
/// table behind this function (and, if its tensors are named differently, in weight_plan.cpp).
Result<ArchSpec> readArchSpec(const Json& config);

/// The `model_type`s that work, sorted.
std::vector<std::string> supportedModelTypes();

}  // namespace hs::model
