#pragma once

#include "app/support/arguments.h"
#include "base/json.h"

#include <string>
#include <vector>

namespace hs::app {

/// What the shards of work over a file of prompts share beyond what their results state: the file's
/// content, gate, ablations. Parts with different conditions do not belong together.
Json conditionsOf(const std::string& file, const RunArguments& run, bool withoutBos);

/// Fails unless the parts hold each of `count` items once. `indices` are those they hold, ascending; `item`
/// is what one is called ("Prompt").
void requireWhole(const std::vector<int>& indices, int count, const std::string& item);

}  // namespace hs::app
