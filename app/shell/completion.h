#pragma once

#include "app/shell/command_facts.h"

#include <string>

namespace hs::app {

/// Scripts that complete commands, options and their values in a shell.
std::string bashCompletion(const ProgramFacts& program);
std::string zshCompletion(const ProgramFacts& program);
std::string fishCompletion(const ProgramFacts& program);

/// What a shell offers for the value of an option.
enum class ValueKind { Choices, Models, Folders, Files, Anything };
ValueKind valueKind(const OptionFacts& option);

}  // namespace hs::app
