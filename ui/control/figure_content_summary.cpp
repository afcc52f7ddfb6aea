#include "analysis/metric_table.h"
#include "analysis/model_summary.h"
#include "control/figure_sources.h"
#include "render/translate.h"

#include <algorithm>
#include <cmath>

namespace hs {
namespace {

const Metric& metricOf(const QString& name)
{
    const std::span<const Metric> metrics = allMetrics();
    const auto found = std::ranges::find(metrics, name.toStdString(), &Metric::name);
    if (found != metrics.end())
        return *found;
    std::string names;
    for (const Metric& metric : metrics)
        names += (names.empty() ? "" : ", ") + std::string(metric.name);
    fail(ErrorCode::BadRequest,
         "There is no metric \"" + name.toStdString() + "\"; choose one of " + names + ".");
}

SummaryPanel summaryPanel(const FigureSources& sources, Side side, const Metric& metric)
{
    const RunResult& run = sources.run(side)->after;
    SummaryPanel panel{sources.title(side), run.heads, {}};
    for (const HeadStats& head : run.stats)
        panel.values.push_back(metric.of(head));
    return panel;
}

}  // namespace

SummaryFigure makeSummaryFigure(const FigureSources& sources)
{
    const Metric& metric = metricOf(sources.spec().metric);
    SummaryFigure figure;
    figure.valueName = sources.spec().metric;
    std::vector<ModelSummary> summaries;
    for (const Side side : sources.sides()) {
        figure.panels.push_back(summaryPanel(sources, side, metric));
        summaries.push_back(summarize(sources.run(side)->after.stats));
    }
    const auto row = [&](const QString& name, bool isShare, bool hasReduction, auto value) {
        SummaryRow line{name, {}, isShare, hasReduction};
        for (const ModelSummary& summary : summaries)
            line.values.push_back(static_cast<double>(value(summary)));
        figure.rows.push_back(std::move(line));
    };
    row(tr("Diagonal-dominant heads"), true, false, [](const auto& s) { return s.diagonalDominance; });
    row(tr("Mean peak"), false, false, [](const auto& s) { return s.meanPeak; });
    row(tr("Diagonal intensity"), false, true, [](const auto& s) { return s.diagonalIntensity; });
    row(tr("Active edges"), true, true, [](const auto& s) { return s.activeEdges; });
    row(tr("Off-diagonal cells > 0.5"), false, true, [](const auto& s) { return s.offDiagonalAboveHalf; });
    row(tr("Heads with weights > 0.01"), false, true, [](const auto& s) { return s.headsRetained; });
    figure.caption =
        tr("Diagonal-dominant: more than half of a head's mean peak lies on the diagonal. On %1.")
            .arg(sources.promptWords());
    return figure;
}

}  // namespace hs
