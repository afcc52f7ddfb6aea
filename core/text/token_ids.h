#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hs::text {

/// Reads "1, 2, 3".
Result<std::vector<std::int64_t>> parseTokenIds(const std::string& text);

}  // namespace hs::text
