#pragma once

#include "app/support/arguments.h"
#include "base/json.h"

#include <string>
#include <vector>

namespace hs::app {

/// What the parts of one work over a file of prompts have in common beside what their results say: the
/// file's content, gate, ablations. Parts with other conditions do not belong together.
Json conditionsOf(const std::string& file, const RunArguments& run, bool withoutBos);

/// Fails unless the parts hold each of `count` items once. `indices` are theirs, ascending; `item` is what
/// one is called ("Prompt").
void requireWhole(const std::vector<int>& indices, int count, const std::string& item);

}  // namespace hs::app
