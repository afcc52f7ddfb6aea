#include "control/figures/figure_sources.h"
#include "render/translate.h"
#include "service/engine_need.h"
#include "stats/model_summary.h"

#include <algorithm>
#include <cmath>

namespace hs::control {
namespace {

figures::SummaryPanel summaryPanel(const FigureSources& sources, Side side, const stats::Metric& metric)
{
    const engine::RunResult& run = sources.run(side)->after;
    figures::SummaryPanel panel{sources.title(side), run.heads, {}};
    for (const stats::HeadStats& head : run.stats)
        panel.values.push_back(metric.of(head));
    return panel;
}

}  // namespace

figures::SummaryFigure makeSummaryFigure(const FigureSources& sources)
{
    const stats::Metric& metric = sources.metric();
    figures::SummaryFigure figure;
    figure.valueName = sources.spec().metric;
    std::vector<stats::ModelSummary> summaries;
    for (const Side side : sources.sides()) {
        figure.panels.push_back(summaryPanel(sources, side, metric));
        summaries.push_back(stats::summarize(sources.run(side)->after.stats));
    }
    const auto row = [&](const QString& name, bool isShare, bool hasReduction, auto value) {
        figures::SummaryRow line{name, {}, isShare, hasReduction};
        for (const stats::ModelSummary& summary : summaries)
            line.values.push_back(static_cast<double>(value(summary)));
        figure.rows.push_back(std::move(line));
    };
    const bool hasDiagonal = std::ranges::all_of(
        sources.sides(), [&](Side side) { return sources.run(side)->after.pattern().isSquare(); });
    const bool hasRun = std::ranges::any_of(sources.sides(), [&](Side side) {
        return service::whyNoRun(*sources.sideRequest(side).model).empty();
    });
    if (hasDiagonal)
        row(tr("Diagonal-dominant heads"), true, false, [](const auto& s) { return s.diagonalDominance; });
    row(tr("Mean peak"), false, false, [](const auto& s) { return s.meanPeak; });
    if (hasDiagonal)
        row(tr("Diagonal intensity"), false, true, [](const auto& s) { return s.diagonalIntensity; });
    if (hasRun)
        row(tr("Active edges"), true, true, [](const auto& s) { return s.activeEdges; });
    row(hasDiagonal ? tr("Off-diagonal cells > 0.5") : tr("Cells > 0.5"), false, true,
        [](const auto& s) { return s.offDiagonalAboveHalf; });
    row(tr("Heads with weights > 0.01"), false, true, [](const auto& s) { return s.headsRetained; });
    figure.caption =
        (hasDiagonal
             ? tr("Diagonal-dominant: more than half of a head's mean peak lies on the diagonal. On %1.")
             : tr("On %1."))
            .arg(sources.promptWords());
    return figure;
}

}  // namespace hs::control
