#pragma once

#include "base/json.h"
#include "stats/value_sums.h"

#include <string>
#include <vector>

namespace hs::app {

/// How many heads carry the strongest line from one token to another in the graphs of a built-in task.
struct DemoCrossings {
    std::string task;
    stats::Estimate heads[2];  // dense, sparse
};

/// On held-out prompts. In the sparse model the line leads from the token of the largest influence to the node it
/// influences most; in the dense model from the same token to the node that it influences most there. Throws Failure.
std::vector<DemoCrossings> measureDemoCrossings(const std::string& device);

std::string crossingsTable(const std::vector<DemoCrossings>& tasks);
Json toJson(const std::vector<DemoCrossings>& tasks);

}  // namespace hs::app
