#pragma once

#include "program.h"

#include <string>
#include <vector>

namespace hs::test {

/// What the program itself said; libraries may put lines of their own beside it.
std::vector<std::string> sentencesIn(const std::string& err);

/// One sentence on standard error, nothing on standard output, exit 1.
void requireRefusal(const Outcome& outcome, const std::string& words);

}  // namespace hs::test
