#pragma once

#include "figures/parts/data_table.h"
#include "figures/parts/drawing.h"
#include "figures/parts/form.h"
#include "stats/token_flow.h"

#include <vector>

namespace hs::figures {

struct FlowPanel {
    QString title;
    int layers = 0;
    std::vector<stats::FlowEdge> edges;  // above the threshold, strongest first
};

/// Tokens across, layers up, one line per active edge, models beside each other.
struct FlowFigure {
    std::vector<FlowPanel> panels;
    std::vector<QString> tokens;
    double threshold = 0;
    QString caption;
};

Drawing draw(const FlowFigure& figure, const Form& form);
DataTable table(const FlowFigure& figure);

}  // namespace hs::figures
