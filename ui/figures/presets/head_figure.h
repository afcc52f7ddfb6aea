#pragma once

#include "base/head_id.h"
#include "engine/request/run_result.h"
#include "figures/parts/data_table.h"
#include "figures/parts/drawing.h"
#include "figures/parts/figure_form.h"

#include <vector>

namespace hs::figures {

struct HeadFigurePanel {
    QString title;
    HeadId head;
    engine::LayerMap maps;  // of its layer, [head, query, key]; null: there is no such head
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

}  // namespace hs::figures
