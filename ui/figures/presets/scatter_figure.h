#pragma once

#include "base/head_id.h"
#include "figures/parts/data_table.h"
#include "figures/parts/drawing.h"
#include "figures/parts/form.h"
#include "stats/pattern_shape.h"

#include <vector>

namespace hs::figures {

/// Weights of a few heads over the same cells.
struct ScatterPanel {
    QString title;
    std::vector<HeadId> heads;
    std::vector<std::vector<float>> weights;  // [head][cell that its query sees], row by row
    stats::PatternShape pattern = {};
};

/// A matrix of plots for each model: head against head, histograms on the diagonal, correlations.
struct ScatterFigure {
    std::vector<ScatterPanel> panels;
    QString caption;
};

Drawing draw(const ScatterFigure& figure, const Form& form);
DataTable table(const ScatterFigure& figure);

}  // namespace hs::figures
