#pragma once

#include "analyses/set_result.h"

#include <string>

namespace hs::app {

/// Averages of maps for numpy.load and headscope view: `attention`, `texts` and `tokens` of the positions (-1 where
/// prompts differ), `counts` of the prompts that have a cell, `prompts`. Throws Failure.
void writeSetNpz(const std::string& file, const analyses::SetResult& result);

/// A text as numpy has it; a byte that is part of no character is U+FFFD.
std::u32string charactersOf(const std::string& bytes);

}  // namespace hs::app
