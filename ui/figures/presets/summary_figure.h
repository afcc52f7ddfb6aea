#pragma once

#include "base/head_id.h"
#include "figures/parts/data_table.h"
#include "figures/parts/drawing.h"
#include "figures/parts/form.h"

#include <optional>
#include <vector>

namespace hs::figures {

/// One row of the table of figures: a value per model, e.g. "Mean peak" 0.68 and 0.26.
struct SummaryRow {
    QString name;
    std::vector<double> values;  // [panel]; NaN: none
    bool isShare = false;        // written as a percentage
    bool hasReduction = false;   // the reduction from the first value to the second is written beside,
    bool hasFactor = false;      // or how many times the second the first is
};

/// Every head's value as a matrix, layers down and heads across, and behind them those of MLPs.
struct SummaryPanel {
    QString title;
    HeadShape heads;
    std::vector<double> values;     // [layer * head]; NaN: none
    std::vector<double> mlps = {};  // [layer]; empty: heads alone
};

/// Head matrices of both models, and beside them the table of figures with bars.
struct SummaryFigure {
    std::vector<SummaryPanel> panels;
    QString valueName;  // of the matrices' values: "peak"
    std::vector<SummaryRow> rows;
    QString caption;
};

Drawing draw(const SummaryFigure& figure, const Form& form);
DataTable table(const SummaryFigure& figure);

}  // namespace hs::figures
