#pragma once

#include "engine/sweep.h"
#include "figures/data_table.h"
#include "panels/head_bar.h"

#include <array>

namespace hs {

/// A column of a sweep.
struct SweepReading {
    const char* name;  // in files, as the command line has it
    double VariantReading::*value;
    const char* title;  // for people, to be translated
};

std::array<SweepReading, 5> sweepReadings();
QString titleOf(const SweepReading& reading);

/// Units of a sweep by what ablating them does to one reading, the largest change first; those not
/// known yet are left out.
std::vector<HeadBar> sweepBars(const Sweep& sweep, const SweepReading& reading);

/// The columns of `headscope sweep --csv` behind that of the side; a side without a sweep has none. [Side]
DataTable sweepTable(const std::array<const Sweep*, 2>& sweeps);

int knownUnits(const Sweep& sweep);

}  // namespace hs
