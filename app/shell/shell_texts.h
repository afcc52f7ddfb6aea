#pragma once

#include "app/shell/command_facts.h"

namespace hs::app {

/// Scripts that complete commands, options and their values in a shell.
std::string bashCompletion(const ProgramFacts& program);
std::string zshCompletion(const ProgramFacts& program);
std::string fishCompletion(const ProgramFacts& program);

/// The manual page headscope(1), in man's markup.
std::string manualPage(const ProgramFacts& program);

}  // namespace hs::app
