#pragma once

#include "analyses/sweep.h"
#include "figures/parts/data_table.h"
#include "panels/analyses/head_bar.h"

#include <array>

namespace hs::panels {

/// A column of a sweep.
struct SweepReading {
    const char* name;  // in files, as the command line has it
    double engine::VariantReading::* value;
    const char* title;  // for people, to be translated
};

std::array<SweepReading, 5> sweepReadings();
QString titleOf(const SweepReading& reading);

/// Units of a sweep by what ablating them does to one reading, the largest change first; those not
/// known yet are left out.
std::vector<HeadBar> sweepBars(const analyses::Sweep& sweep, const SweepReading& reading);

/// The columns of `headscope sweep --csv` behind that of the side; a side without a sweep has none. [Side]
figures::DataTable sweepTable(const std::array<const analyses::Sweep*, 2>& sweeps);

int knownUnits(const analyses::Sweep& sweep);

}  // namespace hs::panels
