#pragma once

#include "service/backend.h"

#include <QString>

namespace hs::control {

/// What a side shows of a set: "mean of 100 prompts", "largest of 31 of 100 prompts" while others are missing. Empty if
/// it shows one prompt.
QString setWords(const service::SideResult& run);

}  // namespace hs::control
