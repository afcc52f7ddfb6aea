#pragma once

#include "base/head_id.h"
#include "engine/run_result.h"
#include "figures/data_table.h"
#include "figures/drawing.h"
#include "figures/figure_form.h"

#include <vector>

namespace hs {

struct HeadFigurePanel {
    QString title;
    HeadId head;
    LayerMap maps;  // of its layer, [head, query, key]; null: there is no such head
    bool isAblated = false;
    bool isPatched = false;  // so ablated that it has another prompt's output
};

/// One head large, token labels on both axes, a panel a model.
struct HeadFigure {
    std::vector<HeadFigurePanel> panels;
    std::vector<QString> tokens;
    QString caption;
};

Drawing draw(const HeadFigure& figure, const FigureForm& form);
DataTable table(const HeadFigure& figure);

}  // namespace hs
