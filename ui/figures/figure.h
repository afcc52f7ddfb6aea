#pragma once

#include "figures/attribution_figure.h"
#include "figures/data_table.h"
#include "figures/drawing.h"
#include "figures/explained_effect_figure.h"
#include "figures/figure_form.h"
#include "figures/flow_figure.h"
#include "figures/grid_figure.h"
#include "figures/head_figure.h"
#include "figures/key_query_figure.h"
#include "figures/scatter_figure.h"
#include "figures/summary_figure.h"

#include <variant>

namespace hs {

/// What a figure shows, with every number in it: independent of models and of the window.
using FigureContent = std::variant<GridFigure, SummaryFigure, ScatterFigure, KeyQueryFigure,
                                   AttributionFigure, FlowFigure, ExplainedEffectFigure, HeadFigure>;

Drawing drawFigure(const FigureContent& content, const FigureForm& form);
DataTable tableOf(const FigureContent& content);

}  // namespace hs
