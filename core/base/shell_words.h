#pragma once

#include <string>
#include <vector>

namespace hs {

/// Text as one word of a shell, in single quotes.
std::string shellQuoted(const std::string& text);

/// A command line; words are quoted where they have to be.
std::string shellLine(const std::vector<std::string>& words);

/// The words of a command line, with quotes and backslashes as in a shell and nothing else: no variables, no
/// patterns. Throws Failure if a quote is left open.
std::vector<std::string> shellWords(const std::string& line);

}  // namespace hs
