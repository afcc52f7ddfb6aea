#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hs {

/// A name from a file, fit for a sentence: in quotes, shortened, without control characters.
std::string quotedName(std::string_view name);

/// "a, b, c and 12 more": the first few of many names, each quoted.
std::string quotedNames(const std::vector<std::string>& names);

}  // namespace hs
