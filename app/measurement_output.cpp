#include "measurement_output.h"

#include "output.h"

#include <cstdio>

namespace hs {

void print(const Measurement& measurement)
{
    std::printf("%-28s %10.3f %-5s %s\n", measurement.name.c_str(), measurement.value,
                measurement.unit.c_str(), measurement.note.c_str());
    std::fflush(stdout);
}

void writeMeasurements(const std::string& file, const std::vector<Measurement>& measurements, Json conditions)
{
    for (const Measurement& measurement : measurements)
        conditions[measurement.name] = numberOrNull(measurement.value);
    writeOutput(file, conditions);
}

}  // namespace hs
