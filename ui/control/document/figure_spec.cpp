#include "control/document/figure_spec.h"

namespace hs::control {

std::span<const PresetName> presetNames()
{
    static constexpr std::array<PresetName, 11> kNames = {{
        {FigurePreset::HeadGrid, "head-grid",
         "heads as tiles, side by side: a sample of the dense model, the active heads of the sparse one"},
        {FigurePreset::RankedHeads, "ranked-heads",
         "heads as tiles in ranked order, one model above the other"},
        {FigurePreset::Summary, "summary", "a value a head as matrices, and the models' figures as bars"},
        {FigurePreset::ScatterMatrix, "scatter-matrix",
         "weights of head against head over all cells, with correlations"},
        {FigurePreset::KeyQuery, "key-query",
         "the heads that map one key to one query, the cell marked in all"},
        {FigurePreset::Attribution, "attribution",
         "which heads carry a prediction, and from which tokens they read"},
        {FigurePreset::Flow, "flow", "tokens across, layers up, a line for every active edge"},
        {FigurePreset::Graph, "graph",
         "features as nodes, tokens across, layers up, and what they add to each other"},
        {FigurePreset::ExplainedEffect, "explained-effect",
         "explained effect against heads kept, and the factor between the models"},
        {FigurePreset::History, "history",
         "a metric of heads over the steps of a training, the step where it jumps marked"},
        {FigurePreset::Head, "head", "one head large, tokens on both axes"},
    }};
    return kNames;
}

FigureSpec FigureSpec::of(FigurePreset preset)
{
    FigureSpec spec;
    spec.preset = preset;
    FigureSide& left = spec.sides.front();
    FigureSide& right = spec.sides.back();
    switch (preset) {
    case FigurePreset::HeadGrid:
        right.grid.form = GridChoice::Form::List;
        right.hasOnlyActive = true;
        break;
    case FigurePreset::RankedHeads:
        spec.isStacked = true;
        spec.form.labelCorner = render::LabelCorner::TopLeft;
        right.hasOnlyActive = true;
        [[fallthrough]];
    case FigurePreset::ScatterMatrix:
        for (FigureSide* const side : {&left, &right}) {
            side->grid.form = GridChoice::Form::List;
            side->grid.order = QStringLiteral("peak");
        }
        break;
    case FigurePreset::History:
    case FigurePreset::ExplainedEffect: spec.form.width = figures::kOneColumn; break;
    case FigurePreset::Summary:
    case FigurePreset::KeyQuery:
    case FigurePreset::Attribution:
    case FigurePreset::Flow:
    case FigurePreset::Graph:
    case FigurePreset::Head: break;
    }
    return spec;
}

}  // namespace hs::control
