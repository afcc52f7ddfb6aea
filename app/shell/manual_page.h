#pragma once

#include "app/shell/command_facts.h"

#include <string>

namespace hs::app {

/// The manual page headscope(1), in the language of man.
std::string manualPage(const ProgramFacts& program);

}  // namespace hs::app
