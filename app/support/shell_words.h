#pragma once

#include <string>
#include <vector>

namespace hs::app {

/// Text as one word of a shell, in single quotes.
std::string shellQuoted(const std::string& text);

/// A command line; words are quoted where they have to be.
std::string shellLine(const std::vector<std::string>& words);

}  // namespace hs::app
