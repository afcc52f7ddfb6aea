#pragma once

#include "base/json.h"
#include "engine/load/tensor_lookup.h"
#include "model/arch_spec.h"

#include <string>
#include <vector>

namespace hs::engine {

/// GPT-2's sizes, inferred from a checkpoint without config.json; the head size is taken to be 64, as in
/// every GPT-2, unless `known` names n_head. Throws Failure when these are not GPT-2's tensors.
Json inferGpt2Config(const TensorLookup& tensors, const Json& known, std::vector<std::string>& notes);

/// GPT-2 comes as Hugging Face writes it ([in, out] projections) and as nanoGPT does ([out, in],
/// padded vocabulary, biases optional, exact GELU): lets the tensors decide.
void adaptGpt2Layout(model::ArchSpec& spec, const TensorLookup& tensors, const Json& config,
                     std::vector<std::string>& notes);

}  // namespace hs::engine
