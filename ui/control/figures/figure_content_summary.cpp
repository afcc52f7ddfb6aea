#include "analyses/written_units.h"
#include "control/figures/figure_sources.h"
#include "render/translate.h"
#include "service/engine_need.h"
#include "stats/model_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// What units write for the answer, which is no matter of patterns.
figures::SummaryPanel writtenPanel(const FigureSources& sources, Side side)
{
    const engine::RunResult& run = sources.run(side)->after;
    figures::SummaryPanel panel{sources.title(side), run.heads, {}};
    panel.values.resize(static_cast<std::size_t>(run.heads.total()),
                        std::numeric_limits<double>::quiet_NaN());
    for (const auto& [unit, value] : analyses::writtenByUnits(sources.attribution(side)))
        if (!unit.isMlp())
            panel.values[static_cast<std::size_t>(run.heads.indexOf(unit))] = value;
        else if (sources.spec().units == Units::HeadsAndMlps)
            panel.mlps.push_back(value);
    return panel;
}

}  // namespace

figures::SummaryFigure makeSummaryFigure(const FigureSources& sources)
{
    const bool isWritten = sources.spec().metric.toStdString() == analyses::kLogitMetric;
    if (!isWritten && sources.spec().units == Units::HeadsAndMlps)
        fail(ErrorCode::BadRequest, "An MLP has no pattern, and so no " +
                                        sources.spec().metric.toStdString() +
                                        "; choose the metric logit, or heads alone.");
    figures::SummaryFigure figure;
    figure.valueName = sources.spec().metric;
    std::vector<stats::ModelSummary> summaries;
    for (const Side side : sources.sides()) {
        figure.panels.push_back(isWritten ? writtenPanel(sources, side)
                                          : summaryPanel(sources, side, sources.metric()));
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
    if (isWritten)
        figure.caption =
            tr("logit: direct contribution to the logit of %1 at the last token, final norm frozen. ")
                .arg(sources.targetWords(sources.sides().back())) +
            figure.caption;
    return figure;
}

}  // namespace hs::control
