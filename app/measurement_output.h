#pragma once

#include "base/json.h"
#include "engine/benchmark.h"

#include <string>
#include <vector>

namespace hs {

/// One line of a table on standard output.
void print(const Measurement& measurement);

/// Adds the numbers to `conditions`, what they were taken under, and writes both to a file. Throws Failure.
void writeMeasurements(const std::string& file, const std::vector<Measurement>& measurements,
                       Json conditions);

}  // namespace hs
