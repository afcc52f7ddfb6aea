#pragma once

#include "base/json.h"

#include <string>
#include <string_view>

namespace hs::features {

/// Reads the part of YAML that settings are written in: maps and lists by indentation or in brackets, texts with and
/// without quotes, numbers, true, false, null, comments. What refers to something else or runs over several
/// lines (anchors, tags, block texts) is refused by name. `what` names the source in errors. Throws Failure.
Json parseYaml(std::string_view text, const std::string& what);

}  // namespace hs::features
