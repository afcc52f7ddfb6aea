#pragma once

#include "command_facts.h"

#include <string>

namespace hs {

/// The manual page headscope(1), in the language of man.
std::string manualPage(const ProgramFacts& program);

}  // namespace hs
