#pragma once

#include "app/shell/command_facts.h"

#include <string>

namespace hs::app {

/// The manual page headscope(1), in man's markup.
std::string manualPage(const ProgramFacts& program);

}  // namespace hs::app
