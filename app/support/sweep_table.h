#pragma once

#include "analyses/cell_sweep.h"
#include "analyses/sweep.h"
#include "base/json.h"
#include "text/prompt_set.h"

#include <string>
#include <vector>

namespace hs::app {

/// The sweep of one prompt of a file, or of the only one.
struct SweptPrompt {
    int index = 0;  // line of the file, from 0
    std::string text;
    analyses::Sweep sweep;
};

/// The result of a sweep command: written as JSON, read back by merge, shown as CSV.
struct SweepTable {
    std::string model;
    analyses::SweepUnits units = analyses::SweepUnits::Heads;
    analyses::SweepMethod method = analyses::SweepMethod::Zero;
    int promptCount = 1;               // of the whole file, even in a shard
    Json conditions;                   // from conditionsOf; null for one prompt
    std::vector<SweptPrompt> prompts;  // by index
    std::vector<text::LeftOutPrompt> leftOut = {};
};

Json toJson(const SweepTable& table);

/// Reads what toJson wrote; `what` names it in errors. Throws Failure.
SweepTable sweepTableFrom(const Json& json, const std::string& what);

/// One row per unit: the changes of the only prompt, or their means, deviations and count over several.
std::string toCsv(const SweepTable& table);
/// One row per cell of a head, in the order of the sweep.
std::string toCsv(const analyses::CellSweep& sweep);

/// The parts of one sweep as a whole. Throws Failure if they do not belong together or one is missing.
SweepTable merged(std::vector<SweepTable> parts);

}  // namespace hs::app
