#pragma once

#include "app/support/circuit_table.h"
#include "app/support/metrics_table.h"
#include "app/support/sweep_table.h"

#include <string>
#include <variant>
#include <vector>

namespace hs::app {

/// What a command wrote about a file of prompts, or about a shard of it.
using PartTable = std::variant<SweepTable, CircuitTables, MetricsTable>;

/// Tells from the JSON which command wrote it; `what` names it in errors. Throws Failure.
PartTable partTableFrom(const Json& json, const std::string& what);
/// JSON of a file of prompts, which may be far larger than other files. Throws Failure.
Json readPartJson(const std::string& file);

/// The lines of the file that it is about, ascending.
std::vector<int> linesOf(const PartTable& table);

/// The parts as a whole. Throws Failure if they do not belong together or one is missing.
PartTable mergedParts(std::vector<PartTable> parts);

/// Writes JSON where a file is named for it, and CSV where one is or neither; circuits have no CSV and go to
/// JSON. Throws Failure.
void writeTable(const PartTable& table, const std::string& json, const std::string& csv);

}  // namespace hs::app
