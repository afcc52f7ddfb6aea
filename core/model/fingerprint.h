#pragma once

#include "model/model_files.h"

#include <string>

namespace hs::model {

/// Sixteen hex digits that change when a model's files do: its config, and size, head and tail of
/// each weights file. Cheap for files of any size. Throws Failure where one cannot be read.
std::string fingerprintOf(const ModelFiles& files);

}  // namespace hs::model
