#pragma once

#include "model/model_files.h"

#include <cstdint>
#include <vector>

namespace hs::engine {

/// The tokens with which a model ends a text, as its config.json and generation_config.json say. Throws Failure.
std::vector<std::int64_t> endTokens(const model::ModelFiles& files);

}  // namespace hs::engine
