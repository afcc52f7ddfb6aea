#include "base/text_format.h"
#include "control/figures/figure_sources.h"
#include "render/translate.h"
#include "stats/correlation.h"
#include "stats/head_scatter.h"

#include <algorithm>

namespace hs::control {
namespace {

constexpr std::size_t kDrawnHeads = 5;        // per side, unless they are named
constexpr double kMostComparedWeights = 2e9;  // over all pairs of heads; takes half a minute to draw

const float* mapOf(const engine::LayerMap& maps, HeadId head, int tokens)
{
    return maps.get() + static_cast<std::size_t>(head.head) * static_cast<std::size_t>(tokens) *
                            static_cast<std::size_t>(tokens);
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

void checkMatrixSize(std::size_t heads, std::size_t tokens)
{
    stats::checkScatterSize(heads, static_cast<int>(tokens));
    const auto side = static_cast<double>(heads);
    const auto length = static_cast<double>(tokens);
    if (side * (side - 1) / 2 * length * (length + 1) / 2 > kMostComparedWeights)
        fail(ErrorCode::TooLarge, tr("A matrix of %1 heads over %2 tokens takes too long to draw; "
                                     "choose fewer heads or shorten the prompt.")
                                      .arg(grouped(heads), grouped(tokens))
                                      .toStdString());
}

figures::ScatterPanel scatterPanel(const FigureSources& sources, Side side)
{
    const int tokens = static_cast<int>(sources.run(side)->tokens.size());
    figures::ScatterPanel panel{sources.title(side), scatterHeads(sources, side), {}};
    checkMatrixSize(panel.heads.size(), static_cast<std::size_t>(tokens));
    panel.weights.resize(panel.heads.size());
    std::set<int> layers;
    for (const HeadId head : panel.heads)
        layers.insert(head.layer);
    for (const int layer : layers) {
        const engine::LayerMap maps = sources.maps(side, layer);
        for (std::size_t index = 0; index < panel.heads.size(); ++index)
            if (panel.heads[index].layer == layer)
                panel.weights[index] = stats::visibleWeights(mapOf(maps, panel.heads[index], tokens), tokens);
    }
    return panel;
}

figures::FlowPanel flowPanel(const FigureSources& sources, Side side)
{
    const engine::RunResult& run = sources.run(side)->after;
    const int tokens = static_cast<int>(run.tokens.size());
    const std::vector<HeadId> shown = sources.heads(side);
    stats::TokenFlowBuilder flow(run.heads.layers, tokens, sources.spec().threshold);
    for (int layer = 0; layer < run.heads.layers; ++layer) {
        sources.hooks().throwIfCancelled();
        const engine::LayerMap maps = sources.maps(side, layer);
        for (const HeadId head : shown)
            if (head.layer == layer && !sources.sideRequest(side).ablations.contains(head))
                flow.add(head, mapOf(maps, head, tokens));
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
        tr("Weights of one head against another over all causal cells; r: correlation; diagonal: "
           "histogram, logarithmic. On %1.")
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
    figure.tokens = sources.tokenLabels();
    for (const Side side : sources.sides()) {
        figures::HeadFigurePanel panel{sources.title(side), chosenHead(sources, side), nullptr, false};
        if (sources.run(side)->after.heads.contains(panel.head)) {
            panel.maps = sources.maps(side, panel.head.layer);
            const auto& ablations = sources.sideRequest(side).ablations;
            const auto ablation = ablations.find(panel.head);
            panel.isAblated = ablation != ablations.end();
            panel.isPatched = panel.isAblated && ablation->second == engine::HeadAblation::Kind::Replace;
        }
        figure.panels.push_back(std::move(panel));
    }
    figure.caption = tr("Attention weights of one head on %1.").arg(sources.promptWords());
    return figure;
}

}  // namespace hs::control
