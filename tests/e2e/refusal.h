#pragma once

#include "program.h"

#include <string>
#include <vector>

namespace hs::test {

/// What the program itself printed; libraries may add lines of their own.
std::vector<std::string> sentencesIn(const std::string& err);

/// One sentence on standard error, nothing on standard output, exit 1.
void requireRefusal(const Outcome& outcome, const std::string& words);

}  // namespace hs::test
