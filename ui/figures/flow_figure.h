#pragma once

#include "analysis/token_flow.h"
#include "figures/data_table.h"
#include "figures/drawing.h"
#include "figures/figure_form.h"

#include <vector>

namespace hs {

struct FlowPanel {
    QString title;
    int layers = 0;
    std::vector<FlowEdge> edges;  // above the threshold, strongest first
};

/// Tokens across, layers up, one line an active edge, models beside each other.
struct FlowFigure {
    std::vector<FlowPanel> panels;
    std::vector<QString> tokens;
    double threshold = 0;
    QString caption;
};

Drawing draw(const FlowFigure& figure, const FigureForm& form);
DataTable table(const FlowFigure& figure);

}  // namespace hs
