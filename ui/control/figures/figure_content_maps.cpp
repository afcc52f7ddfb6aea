#include "base/text_format.h"
#include "control/document/changed_cells.h"
#include "control/figures/figure_sources.h"
#include "render/translate.h"
#include "stats/correlation.h"
#include "stats/head_scatter.h"

#include <algorithm>

namespace hs::control {
namespace {

constexpr std::size_t kDrawnHeads = 5;        // per side, unless they are named
constexpr double kMostComparedWeights = 2e9;  // over all pairs of heads; takes half a minute to draw

const float* mapOf(const engine::LayerMap& maps, HeadId head, const stats::PatternShape& pattern)
{
    return maps.get() + static_cast<std::size_t>(head.head) * pattern.mapSize();
}

std::vector<HeadId> scatterHeads(const FigureSources& sources, Side side)
{
    std::vector<HeadId> heads = sources.heads(side);
    if (sources.sideSpec(side).grid.list.empty() && heads.size() > kDrawnHeads)
        heads.resize(kDrawnHeads);
    return heads;
}

QString grouped(std::size_t count)
{
    return QString::fromStdString(formatCount(static_cast<std::int64_t>(count)));
}

void checkMatrixSize(std::size_t heads, const stats::PatternShape& pattern)
{
    stats::checkScatterSize(heads, pattern);
    const auto side = static_cast<double>(heads);
    if (side * (side - 1) / 2 * static_cast<double>(pattern.cells()) > kMostComparedWeights)
        fail(ErrorCode::TooLarge,
             tr("A matrix of %1 heads over %2 tokens takes too long to draw; "
                "choose fewer heads or shorten the prompt.")
                 .arg(grouped(heads),
                      grouped(static_cast<std::size_t>(std::max(pattern.queries, pattern.keys))))
                 .toStdString());
}

figures::ScatterPanel scatterPanel(const FigureSources& sources, Side side)
{
    const stats::PatternShape pattern = sources.run(side)->after.pattern();
    figures::ScatterPanel panel{sources.title(side), scatterHeads(sources, side), {}, pattern};
    checkMatrixSize(panel.heads.size(), pattern);
    panel.weights.resize(panel.heads.size());
    std::set<int> layers;
    for (const HeadId head : panel.heads)
        layers.insert(head.layer);
    for (const int layer : layers) {
        const engine::LayerMap maps = sources.maps(side, layer);
        for (std::size_t index = 0; index < panel.heads.size(); ++index)
            if (panel.heads[index].layer == layer)
                panel.weights[index] =
                    stats::visibleWeights(mapOf(maps, panel.heads[index], pattern), pattern);
    }
    return panel;
}

figures::FlowPanel flowPanel(const FigureSources& sources, Side side)
{
    const engine::RunResult& run = sources.run(side)->after;
    const std::vector<HeadId> shown = sources.heads(side);
    stats::TokenFlowBuilder flow(run.heads.layers, run.pattern(), sources.spec().threshold);
    for (int layer = 0; layer < run.heads.layers; ++layer) {
        sources.hooks().throwIfCancelled();
        const engine::LayerMap maps = sources.maps(side, layer);
        for (const HeadId head : shown)
            if (head.layer == layer && !isSwitchedOff(sources.sideRequest(side).ablations, head))
                flow.add(head, mapOf(maps, head, run.pattern()));
    }
    return {sources.title(side), run.heads.layers, flow.takeEdges()};
}

/// The head that a side's spec names, or an interesting one: the one with the most strong cells off the
/// diagonal on the last side shown.
HeadId chosenHead(const FigureSources& sources, Side side)
{
    const std::vector<HeadId>& list = sources.sideSpec(side).grid.list;
    if (!list.empty())
        return list.front();
    const engine::RunResult& run = sources.run(sources.sides().back())->after;
    const auto best = std::max_element(run.stats.begin(), run.stats.end(),
                                       [](const stats::HeadStats& a, const stats::HeadStats& b) {
                                           return a.offDiagonalAboveHalf < b.offDiagonalAboveHalf;
                                       });
    return run.heads.at(static_cast<int>(best - run.stats.begin()));
}

}  // namespace

figures::ScatterFigure makeScatterFigure(const FigureSources& sources)
{
    figures::ScatterFigure figure;
    for (const Side side : sources.sides())
        figure.panels.push_back(scatterPanel(sources, side));
    figure.caption =
        (sources.pattern().isCausal
             ? tr("Weights of one head against another over all causal cells; r: correlation; diagonal: "
                  "histogram, logarithmic. On %1.")
             : tr("Weights of one head against another over all cells; r: correlation; diagonal: histogram, "
                  "logarithmic. On %1."))
            .arg(sources.promptWords());
    return figure;
}

figures::FlowFigure makeFlowFigure(const FigureSources& sources)
{
    sources.requireSamePositions();
    figures::FlowFigure figure;
    figure.threshold = sources.spec().threshold;
    figure.tokens = sources.tokenLabels();
    for (const Side side : sources.sides())
        figure.panels.push_back(flowPanel(sources, side));
    figure.caption =
        tr("Each line is a head's weight of at least %1 from a key (below) to a query (above), on %2.")
            .arg(figure.threshold)
            .arg(sources.promptWords());
    return figure;
}

figures::HeadFigure makeHeadFigure(const FigureSources& sources)
{
    sources.requireSamePositions();
    figures::HeadFigure figure;
    figure.tokens = sources.tokenLabels(Axis::Query);
    figure.keys = sources.tokenLabels(Axis::Key);
    figure.isCausal = sources.pattern().isCausal;
    for (const Side side : sources.sides()) {
        figures::HeadFigurePanel panel{sources.title(side), chosenHead(sources, side), nullptr, false};
        if (sources.run(side)->after.heads.contains(panel.head)) {
            panel.maps = sources.maps(side, panel.head.layer);
            const auto& ablations = sources.sideRequest(side).ablations;
            const auto ablation = ablations.find(panel.head);
            if (ablation != ablations.end()) {
                panel.isAblated = ablation->second.isWhole();
                panel.isPatched = panel.isAblated && ablation->second.isPatched();
                panel.edited = placesOf(ablation->second, *sources.run(side));
            }
        }
        figure.panels.push_back(std::move(panel));
    }
    figure.caption = tr("Attention weights of one head on %1.").arg(sources.promptWords());
    return figure;
}

}  // namespace hs::control
