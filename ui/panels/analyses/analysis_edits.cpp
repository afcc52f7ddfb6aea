#include "panels/analyses/analysis_edits.h"

#include "control/document/shown_heads.h"

#include <algorithm>

namespace hs::panels {
namespace {

void setList(control::GridChoice& grid, std::vector<HeadId> heads)
{
    grid.form = control::GridChoice::Form::List;
    grid.order.clear();
    std::erase_if(heads, [](HeadId head) { return head.isMlp(); });
    grid.list = std::move(heads);
}

bool isIn(const std::vector<HeadId>& heads, HeadId head)
{
    return std::find(heads.begin(), heads.end(), head) != heads.end();
}

}  // namespace

void orderGrids(control::Document& document, const SideHeads& ranked, const SideShapes& shapes)
{
    for (const Side side : kSides) {
        std::vector<HeadId> order = ranked[indexOf(side)];
        if (order.empty())
            continue;
        const std::set<HeadId> known(order.begin(), order.end());
        for (const HeadId head : control::allHeads(shapes[indexOf(side)]))
            if (!known.contains(head))
                order.push_back(head);
        setList(document.side(side).grid, std::move(order));
    }
}

void showOnly(control::Document& document, const SideHeads& heads)
{
    for (const Side side : kSides) {
        const std::vector<HeadId>& shown = heads[indexOf(side)];
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
    for (const Side side : kSides) {
        if (kept[indexOf(side)].empty())
            continue;
        auto& ablations = document.side(side).ablations;
        ablations.clear();
        // Of units with MLPs among them, the other MLPs go as well.
        const bool hasMlps = std::ranges::any_of(kept[indexOf(side)], &HeadId::isMlp);
        for (const HeadId head : shapes[indexOf(side)].all(hasMlps ? Units::HeadsAndMlps : Units::Heads))
            if (!isIn(kept[indexOf(side)], head))
                ablations.emplace(head, kind);
    }
}

void ablate(control::Document& document, const SideHeads& heads, engine::HeadAblation::Kind kind)
{
    for (const Side side : kSides)
        for (const HeadId head : heads[indexOf(side)])
            document.side(side).ablations.insert_or_assign(head, kind);
}

engine::HeadAblation::Kind plainKind(const control::AblationTool& tool)
{
    return tool.kind == engine::HeadAblation::Kind::Replace ? engine::HeadAblation::Kind::Zero : tool.kind;
}

std::optional<control::FigurePreset> presetOf(service::AnalysisKind kind)
{
    switch (kind) {
    case service::AnalysisKind::Sweep: return control::FigurePreset::RankedHeads;
    case service::AnalysisKind::Circuit: return control::FigurePreset::ExplainedEffect;
    case service::AnalysisKind::Attribution: return control::FigurePreset::Attribution;
    case service::AnalysisKind::Scatter: return control::FigurePreset::ScatterMatrix;
    case service::AnalysisKind::Compare: return control::FigurePreset::Summary;
    case service::AnalysisKind::Flow: return control::FigurePreset::Flow;
    case service::AnalysisKind::Graph: return control::FigurePreset::Graph;
    case service::AnalysisKind::Prompts: return control::FigurePreset::HeadGrid;
    case service::AnalysisKind::History: return control::FigurePreset::History;
    case service::AnalysisKind::EdgeHeads: return control::FigurePreset::Attribution;
    case service::AnalysisKind::Lens:
    case service::AnalysisKind::Saliency:
    case service::AnalysisKind::HeadWords: break;
    }
    return std::nullopt;
}

void takeFigure(control::Document& document, service::AnalysisKind kind, const SideHeads& heads,
                const std::array<std::string, 2>& results)
{
    control::FigureSpec& figure = document.figure;
    const control::FigurePreset preset = presetOf(kind).value();
    if (figure.preset != preset)
        figure = control::FigureSpec::of(preset);
    figure.target = document.target;
    figure.versus = document.distractor;
    figure.corrupted = document.corrupted;
    figure.level = document.analyses.circuit.level;
    figure.share = document.analyses.share;
    if (kind == service::AnalysisKind::Flow)
        figure.threshold = document.analyses.flowThreshold;
    if (kind == service::AnalysisKind::Graph)
        figure.share = document.analyses.graphShare;
    if (kind == service::AnalysisKind::History)
        figure.metric = document.analyses.historyMetric;
    for (const Side side : kSides) {
        control::FigureSide& drawn = figure.sides[indexOf(side)];
        drawn.result = results[indexOf(side)];
        if (heads[indexOf(side)].empty())
            continue;
        drawn.hasOnlyActive = false;
        setList(drawn.grid, heads[indexOf(side)]);
    }
}

}  // namespace hs::panels
