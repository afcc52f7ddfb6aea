#pragma once

#include "figures/parts/data_table.h"
#include "figures/parts/drawing.h"
#include "figures/parts/form.h"
#include "figures/presets/attribution_figure.h"
#include "figures/presets/explained_effect_figure.h"
#include "figures/presets/flow_figure.h"
#include "figures/presets/graph_figure.h"
#include "figures/presets/grid_figure.h"
#include "figures/presets/head_figure.h"
#include "figures/presets/history_figure.h"
#include "figures/presets/key_query_figure.h"
#include "figures/presets/scatter_figure.h"
#include "figures/presets/summary_figure.h"

#include <variant>

namespace hs::figures {

/// What a figure shows, with every number in it; independent of models and of the window.
using FigureContent =
    std::variant<GridFigure, SummaryFigure, ScatterFigure, KeyQueryFigure, AttributionFigure, FlowFigure,
                 ExplainedEffectFigure, HeadFigure, GraphFigure, HistoryFigure>;

Drawing drawFigure(const FigureContent& content, const Form& form);
DataTable tableOf(const FigureContent& content);

}  // namespace hs::figures
