#pragma once

#include "engine/request/run_result.h"

#include <string>
#include <vector>

namespace hs::bench {

/// Each part's median over several runs: "0.1 preparing, 2 layers, …".
std::string describe(const std::vector<engine::RunTimes>& runs);

}  // namespace hs::bench
