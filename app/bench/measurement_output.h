#pragma once

#include "base/json.h"
#include "bench/benchmark.h"

#include <string>
#include <vector>

namespace hs::app {

/// One line of a table on standard output.
void print(const bench::Measurement& measurement);

/// Adds the numbers to the `conditions` they were taken under and writes both to a file. Throws Failure.
void writeMeasurements(const std::string& file, const std::vector<bench::Measurement>& measurements,
                       Json conditions);

}  // namespace hs::app
