#pragma once

#include "base/json.h"

#include <string>

namespace hs {

/// Writes data to a file, whole or not at all, or to standard output for "-" and "". Throws Failure.
void writeOutput(const std::string& file, const std::string& content);

/// The same for JSON, indented; bytes that are no UTF-8 become U+FFFD.
void writeOutput(const std::string& file, const Json& json);

/// NaN, which JSON lacks, becomes null.
Json numberOrNull(double value);

}  // namespace hs
