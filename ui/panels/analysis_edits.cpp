#include "panels/analysis_edits.h"

#include "control/shown_heads.h"

#include <algorithm>

namespace hs {
namespace {

void setList(GridChoice& grid, std::vector<HeadId> heads)
{
    grid.form = GridChoice::Form::List;
    grid.order.clear();
    grid.list = std::move(heads);
}

bool isIn(const std::vector<HeadId>& heads, HeadId head)
{
    return std::find(heads.begin(), heads.end(), head) != heads.end();
}

}  // namespace

void orderGrids(Document& document, const SideHeads& ranked, const SideShapes& shapes)
{
    for (const Side side : kSides) {
        std::vector<HeadId> order = ranked[indexOf(side)];
        if (order.empty())
            continue;
        const std::set<HeadId> known(order.begin(), order.end());
        for (const HeadId head : allHeads(shapes[indexOf(side)]))
            if (!known.contains(head))
                order.push_back(head);
        setList(document.side(side).grid, std::move(order));
    }
}

void showOnly(Document& document, const SideHeads& heads)
{
    for (const Side side : kSides) {
        const std::vector<HeadId>& shown = heads[indexOf(side)];
        if (shown.empty())
            continue;
        GridChoice& grid = document.side(side).grid;
        setList(grid, shown);
        for (const HeadId head : shown)
            grid.hidden.erase(head);
    }
}

void backToMatrix(Document& document)
{
    for (SideSetup& side : document.sides)
        side.grid.form = GridChoice::Form::Matrix;
}

void ablateAllBut(Document& document, const SideHeads& kept, const SideShapes& shapes,
                  HeadAblation::Kind kind)
{
    for (const Side side : kSides) {
        if (kept[indexOf(side)].empty())
            continue;
        auto& ablations = document.side(side).ablations;
        ablations.clear();
        for (const HeadId head : allHeads(shapes[indexOf(side)]))
            if (!isIn(kept[indexOf(side)], head))
                ablations.emplace(head, kind);
    }
}

void ablate(Document& document, const SideHeads& heads, HeadAblation::Kind kind)
{
    for (const Side side : kSides)
        for (const HeadId head : heads[indexOf(side)])
            document.side(side).ablations.insert_or_assign(head, kind);
}

HeadAblation::Kind plainKind(const AblationTool& tool)
{
    return tool.kind == HeadAblation::Kind::Replace ? HeadAblation::Kind::Zero : tool.kind;
}

FigurePreset presetOf(AnalysisKind kind)
{
    switch (kind) {
    case AnalysisKind::Sweep: return FigurePreset::RankedHeads;
    case AnalysisKind::Circuit: return FigurePreset::ExplainedEffect;
    case AnalysisKind::Attribution: return FigurePreset::Attribution;
    case AnalysisKind::Scatter: return FigurePreset::ScatterMatrix;
    case AnalysisKind::Compare: return FigurePreset::Summary;
    case AnalysisKind::Flow: return FigurePreset::Flow;
    }
    return FigurePreset::RankedHeads;
}

void takeFigure(Document& document, AnalysisKind kind, const SideHeads& heads,
                const std::array<std::string, 2>& results)
{
    FigureSpec& figure = document.figure;
    const FigurePreset preset = presetOf(kind);
    if (figure.preset != preset)
        figure = FigureSpec::of(preset);
    figure.target = document.target;
    figure.versus = document.distractor;
    figure.corrupted = document.corrupted;
    figure.level = document.analyses.circuit.level;
    figure.share = document.analyses.share;
    if (kind == AnalysisKind::Flow)
        figure.threshold = document.analyses.flowThreshold;
    for (const Side side : kSides) {
        FigureSide& drawn = figure.sides[indexOf(side)];
        drawn.result = results[indexOf(side)];
        if (heads[indexOf(side)].empty())
            continue;
        drawn.hasOnlyActive = false;
        setList(drawn.grid, heads[indexOf(side)]);
    }
}

}  // namespace hs
