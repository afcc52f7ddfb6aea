#pragma once

#include "base/json.h"

#include <string>

namespace hs::app {

/// Writes data to a file, whole or not at all, or to standard output for "-" and "". Throws Failure.
void writeOutput(const std::string& file, const std::string& content);

/// Fails where writeOutput would: call it before the work, so that none is lost. Throws Failure.
void requireWritable(const std::string& file);

/// Writes JSON likewise, indented; bytes that are not UTF-8 become U+FFFD.
void writeOutput(const std::string& file, const Json& json);

}  // namespace hs::app
