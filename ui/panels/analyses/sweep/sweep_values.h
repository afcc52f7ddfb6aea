#pragma once

#include "analyses/sweep.h"
#include "figures/parts/data_table.h"
#include "panels/analyses/head_bar.h"

#include <array>

namespace hs::panels {

/// A column of a sweep.
struct SweepReading {
    const char* name;  // in files, as on the command line
    double engine::VariantReading::* value;
    const char* title;  // for people, translatable
};

std::array<SweepReading, 5> sweepReadings();
QString titleOf(const SweepReading& reading);

/// Units of a sweep by how much ablating them changes one reading, the largest change first; units without a
/// result yet are left out.
std::vector<HeadBar> sweepBars(const analyses::Sweep& sweep, const SweepReading& reading);

/// The column "side", then those of `headscope sweep --csv`; a side without a sweep has no rows. [Side]
figures::DataTable sweepTable(const std::array<const analyses::Sweep*, 2>& sweeps);

int knownUnits(const analyses::Sweep& sweep);

}  // namespace hs::panels
