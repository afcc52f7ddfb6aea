#include "app/bench/measurement_output.h"

#include "app/support/output.h"

#include <cstdio>

namespace hs::app {

void print(const bench::Measurement& measurement)
{
    std::printf("%-28s %10.3f %-5s %s\n", measurement.name.c_str(), measurement.value,
                measurement.unit.c_str(), measurement.note.c_str());
    std::fflush(stdout);
}

void writeMeasurements(const std::string& file, const std::vector<bench::Measurement>& measurements,
                       Json conditions)
{
    for (const bench::Measurement& measurement : measurements)
        conditions[measurement.name] = numberOrNull(measurement.value);
    writeOutput(file, conditions);
}

}  // namespace hs::app
