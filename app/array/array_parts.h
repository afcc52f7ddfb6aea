#pragma once

#include "app/array/array_plan.h"

#include <string>
#include <vector>

namespace hs::app {

// What is done is told by the files of the parts alone: a scheduler forgets, and tasks are killed.

/// Why a part is not done; empty if its file is whole, of this plan, and about the lines it should be about.
std::string flawOf(const ArrayPlan& plan, int part);

/// The parts that are not done, ascending.
std::vector<int> missingParts(const ArrayPlan& plan);

/// Does a part, unless it is done. However it ends, its file is whole or not there. Throws Failure.
void runPart(const ArrayPlan& plan, int part);

/// Joins the parts where the command was told to write. Throws a Failure that names the missing ones.
void mergeParts(const ArrayPlan& plan);

/// "1-3,7": numbers, which ascend, as schedulers write them.
std::string rangesOf(const std::vector<int>& numbers);

}  // namespace hs::app
