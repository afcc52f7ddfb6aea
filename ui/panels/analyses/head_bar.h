#pragma once

#include "base/cell_id.h"
#include "base/head_id.h"

#include <QString>

#include <optional>
#include <vector>

namespace hs::panels {

/// A value of a head, of one of its cells, or of several heads together.
struct HeadBar {
    QString name;               // "L5H7"
    std::vector<HeadId> heads;  // tiles it represents
    double value = 0;
    std::optional<CellId> cell;  // cell of the head it represents
    QString detail;              // more about it, for the tooltip
    bool isChosen = true;        // others are drawn pale

    friend bool operator==(const HeadBar&, const HeadBar&) = default;
};

/// One side's bars, the most important first.
struct RankedBars {
    QString title;
    std::vector<HeadBar> bars;

    friend bool operator==(const RankedBars&, const RankedBars&) = default;
};

}  // namespace hs::panels
