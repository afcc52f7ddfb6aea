#pragma once

#include "figures/parts/data_table.h"
#include "figures/parts/drawing.h"
#include "figures/parts/form.h"
#include "figures/parts/graph_view.h"

#include <vector>

namespace hs::figures {

/// One model's graph.
struct GraphPanel {
    QString title;
    QString counts;  // one line of figures below the title
    GraphView view;
    std::vector<QString>
        names;  // [node of the view] what is written at it where there is room; empty: nothing
};

/// Tokens across, layers up: features and what they add to each other, models beside each other.
struct GraphFigure {
    std::vector<GraphPanel> panels;
    std::vector<QString> tokens;
    QString caption;
};

Drawing draw(const GraphFigure& figure, const Form& form);
/// A row for every edge: its panel, both ends, its weight.
DataTable table(const GraphFigure& figure);

}  // namespace hs::figures
