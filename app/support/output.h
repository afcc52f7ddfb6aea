#pragma once

#include "base/json.h"

#include <string>

namespace hs::app {

/// Writes data to a file, whole or not at all, or to standard output for "-" and "". Throws Failure.
void writeOutput(const std::string& file, const std::string& content);

/// Fails where writeOutput would, so that no work is lost: call it before the work. Throws Failure.
void requireWritable(const std::string& file);

/// The same for JSON, indented; bytes that are no UTF-8 become U+FFFD.
void writeOutput(const std::string& file, const Json& json);

}  // namespace hs::app
