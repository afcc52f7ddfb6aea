#pragma once

#include "base/json_reader.h"
#include "model/arch_spec.h"

namespace hs::model {

/// Reads a model's rotary positions: `rope_parameters` (transformers 5, for each type of layer where they
/// differ) or `rope_theta` and `rope_scaling` (4). What config.json leaves out is as in `spec`; of each head,
/// `defaultShare` turns.
void readRope(ArchSpec& spec, const JsonReader& config, double defaultShare);

}  // namespace hs::model
