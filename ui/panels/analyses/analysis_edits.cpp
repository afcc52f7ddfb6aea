#include "panels/analyses/analysis_edits.h"

#include "control/document/shown_heads.h"

#include <algorithm>

namespace hs::panels {
namespace {

void setList(control::GridChoice& grid, std::vector<HeadId> heads)
{
    grid.form = control::GridChoice::Form::List;
    grid.order.clear();
    grid.list = std::move(heads);
}

bool isIn(const std::vector<HeadId>& heads, HeadId head)
{
    return std::find(heads.begin(), heads.end(), head) != heads.end();
}

}  // namespace

void orderGrids(control::Document& document, const SideHeads& ranked, const SideShapes& shapes)
{
    for (const control::Side side : control::kSides) {
        std::vector<HeadId> order = ranked[control::indexOf(side)];
        if (order.empty())
            continue;
        const std::set<HeadId> known(order.begin(), order.end());
        for (const HeadId head : control::allHeads(shapes[control::indexOf(side)]))
            if (!known.contains(head))
                order.push_back(head);
        setList(document.side(side).grid, std::move(order));
    }
}

void showOnly(control::Document& document, const SideHeads& heads)
{
    for (const control::Side side : control::kSides) {
        const std::vector<HeadId>& shown = heads[control::indexOf(side)];
        if (shown.empty())
            continue;
        control::GridChoice& grid = document.side(side).grid;
        setList(grid, shown);
        for (const HeadId head : shown)
            grid.hidden.erase(head);
    }
}

void backToMatrix(control::Document& document)
{
    for (control::SideSetup& side : document.sides)
        side.grid.form = control::GridChoice::Form::Matrix;
}

void ablateAllBut(control::Document& document, const SideHeads& kept, const SideShapes& shapes,
                  engine::HeadAblation::Kind kind)
{
    for (const control::Side side : control::kSides) {
        if (kept[control::indexOf(side)].empty())
            continue;
        auto& ablations = document.side(side).ablations;
        ablations.clear();
        for (const HeadId head : control::allHeads(shapes[control::indexOf(side)]))
            if (!isIn(kept[control::indexOf(side)], head))
                ablations.emplace(head, kind);
    }
}

void ablate(control::Document& document, const SideHeads& heads, engine::HeadAblation::Kind kind)
{
    for (const control::Side side : control::kSides)
        for (const HeadId head : heads[control::indexOf(side)])
            document.side(side).ablations.insert_or_assign(head, kind);
}

engine::HeadAblation::Kind plainKind(const control::AblationTool& tool)
{
    return tool.kind == engine::HeadAblation::Kind::Replace ? engine::HeadAblation::Kind::Zero : tool.kind;
}

control::FigurePreset presetOf(control::AnalysisKind kind)
{
    switch (kind) {
    case control::AnalysisKind::Sweep: return control::FigurePreset::RankedHeads;
    case control::AnalysisKind::Circuit: return control::FigurePreset::ExplainedEffect;
    case control::AnalysisKind::Attribution: return control::FigurePreset::Attribution;
    case control::AnalysisKind::Scatter: return control::FigurePreset::ScatterMatrix;
    case control::AnalysisKind::Compare: return control::FigurePreset::Summary;
    case control::AnalysisKind::Flow: return control::FigurePreset::Flow;
    }
    return control::FigurePreset::RankedHeads;
}

void takeFigure(control::Document& document, control::AnalysisKind kind, const SideHeads& heads,
                const std::array<std::string, 2>& results)
{
    control::FigureSpec& figure = document.figure;
    const control::FigurePreset preset = presetOf(kind);
    if (figure.preset != preset)
        figure = control::FigureSpec::of(preset);
    figure.target = document.target;
    figure.versus = document.distractor;
    figure.corrupted = document.corrupted;
    figure.level = document.analyses.circuit.level;
    figure.share = document.analyses.share;
    if (kind == control::AnalysisKind::Flow)
        figure.threshold = document.analyses.flowThreshold;
    for (const control::Side side : control::kSides) {
        control::FigureSide& drawn = figure.sides[control::indexOf(side)];
        drawn.result = results[control::indexOf(side)];
        if (heads[control::indexOf(side)].empty())
            continue;
        drawn.hasOnlyActive = false;
        setList(drawn.grid, heads[control::indexOf(side)]);
    }
}

}  // namespace hs::panels
