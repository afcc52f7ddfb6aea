#pragma once

#include "analyses/set_result.h"
#include "app/support/circuit_table.h"
#include "app/support/sweep_table.h"

#include <string>
#include <variant>
#include <vector>

namespace hs::app {

/// What a command wrote about a file of prompts, or about a shard of it.
using PartTable = std::variant<SweepTable, CircuitTables, analyses::SetResult>;

/// Tells from the JSON which command wrote it; `what` names it in errors. Throws Failure.
PartTable partTableFrom(const Json& json, const std::string& what);
/// JSON of a file of prompts, which may be far larger than other files. Throws Failure.
Json readPartJson(const std::string& file);

/// The prompts that it is about, also those it leaves out, ascending.
std::vector<int> linesOf(const PartTable& table);

/// The parts as a whole. Throws Failure if they do not belong together or one is missing.
PartTable mergedParts(std::vector<PartTable> parts);

/// Where a command's results go.
struct OutputFiles {
    std::string json;
    std::string csv;
    std::string npz;
};

/// Writes JSON and NPZ where a file is named for them, and CSV where one is or nothing is; what has no CSV goes to
/// JSON. Throws Failure.
void writeTable(const PartTable& table, const OutputFiles& files);
/// The same in the end of work over a set or a part of it: if no prompt of a whole could be done, nothing is written. Throws
/// LeftOut where some of them are left out.
void writeSet(const PartTable& table, const OutputFiles& files);

}  // namespace hs::app
