#include "panels/analyses/history/history_panel.h"

#include "analyses/history_json.h"
#include "panels/analyses/history/history_plot.h"
#include "panels/widgets/metric_names.h"
#include "panels/widgets/panel_style.h"
#include "panels/widgets/shown_tokens.h"
#include "panels/widgets/training_steps.h"

#include <QComboBox>
#include <QLocale>

#include <algorithm>

namespace hs::panels {
namespace {

constexpr std::size_t kMostCurves = 8;  // of a side, unless heads are selected

const stats::Metric& metricOf(const control::Explorer& explorer)
{
    const stats::Metric* const chosen =
        stats::findMetric(explorer.document().analyses.historyMetric.toStdString());
    return chosen ? *chosen : *metricsInTableOrder().front();
}

}  // namespace

HistoryPanel::HistoryPanel(control::Explorer& explorer, QWidget* parent)
    : AnalysisFrame(explorer, service::AnalysisKind::History, parent), m_plot(new HistoryPlot(this))
{
    setObjectName(QStringLiteral("historyPanel"));
    compose();
    refresh();
}

void HistoryPanel::compose()
{
    QStringList titles;
    for (const stats::Metric* const metric : metricsInTableOrder())
        titles << metricTitle(*metric);
    m_metric = addChoice("historyMetric", tr("&Metric"), titles, [this](int index) {
        explorer().edit(tr("Choose the metric over training"), [index](control::Document& document) {
            document.analyses.historyMetric = nameOf(*metricsInTableOrder()[static_cast<std::size_t>(index)]);
        });
    });
    m_plot->setObjectName(QStringLiteral("historyPlot"));
    setContent(m_plot,
               tr("Run this to see what became of each head at every step that was kept of the training."));
    addPlot(*m_plot, tr("&plot"));
    connect(m_plot, &HistoryPlot::stepPicked, this, [this](Side side, std::size_t step) {
        const analyses::History* const shown = history(side);
        const auto& model = explorer().state(side).model;
        if (!shown || !model)
            return;
        // Steps that were left out have no point.
        const auto at = std::ranges::find(model->revisions, shown->points[step].step, &model::Revision::step);
        if (at != model->revisions.end())
            showStep(explorer(), side, static_cast<std::size_t>(at - model->revisions.begin()));
    });
    connect(m_plot, &HistoryPlot::headPointed, this, [this](Side side, std::optional<HeadId> head) {
        control::Hover hover;
        hover.side = side;
        hover.head = head;
        explorer().setHover(hover);
    });
    connect(&explorer(), &control::Explorer::selectionChanged, this, [this] { refresh(); });
}

const analyses::History* HistoryPanel::history(Side side) const
{
    const bool isTwin = side == Side::Right && state(Side::Left).finding && state(Side::Right).finding &&
                        state(Side::Left).finding->result == state(Side::Right).finding->result;
    return isTwin ? nullptr : found<analyses::History>(side);
}

void HistoryPanel::showDocument()
{
    const auto metrics = metricsInTableOrder();
    const auto at = std::ranges::find(metrics, &metricOf(explorer()));
    m_metric->setCurrentIndex(static_cast<int>(at - metrics.begin()));
}

std::vector<HeadId> HistoryPanel::headsShown(Side side) const
{
    const analyses::History* const shown = history(side);
    std::vector<HeadId> heads;
    if (!shown)
        return heads;
    for (const HeadId head : explorer().selection(side))
        if (shown->heads.contains(head))
            heads.push_back(head);
    if (!heads.empty())
        return heads;
    for (const analyses::HeadJump& jump : analyses::mostChanged(*shown, metricOf(explorer())))
        if (heads.size() < kMostCurves)
            heads.push_back(jump.head);
    return heads;
}

void HistoryPanel::showResult()
{
    std::array<std::vector<std::int64_t>, 2> steps;
    std::array<std::optional<std::size_t>, 2> shownAt;
    std::vector<HeadCurve> curves;
    QStringList summary;
    bool isOutdated = false;
    for (const Side side : kSides) {
        const auto* const shown = found<analyses::History>(side);
        if (!shown)
            continue;
        isOutdated = isOutdated || state(side).isOutdated;
        for (const analyses::HistoryPoint& point : shown->points)
            steps[indexOf(side)].push_back(point.step);
        for (const HeadId head : headsShown(side)) {
            std::vector<double> curve = analyses::curveOf(*shown, head, metricOf(explorer()));
            const auto jump = analyses::jumpOf(curve);
            curves.push_back({side, head, std::move(curve), jump});
        }
        if (const auto at = stepShown(explorer(), side)) {
            const std::int64_t step = explorer().state(side).model->revisions[*at].step;
            const auto point = std::ranges::find(shown->points, step, &analyses::HistoryPoint::step);
            if (point != shown->points.end())
                shownAt[indexOf(side)] = static_cast<std::size_t>(point - shown->points.begin());
        }
        if (const QString text = history(side) ? words(side) : QString(); !text.isEmpty())
            summary << text;
    }
    m_plot->setCurves(steps, std::move(curves), metricTitle(metricOf(explorer())));
    m_plot->setShown(shownAt);
    m_plot->setDimmed(isOutdated);
    setSummary(summary.join(QStringLiteral(" · ")));
}

/// The largest jump of all, and what is missing.
QString HistoryPanel::words(Side side) const
{
    const analyses::History& shown = *history(side);
    QStringList words;
    if (const auto most = analyses::mostChanged(shown, metricOf(explorer())); !most.empty()) {
        const auto curve = analyses::curveOf(shown, most.front().head, metricOf(explorer()));
        const std::size_t jump = *analyses::jumpOf(curve);
        words << tr("%1 jumps most: %2 by step %3")
                     .arg(QString::fromStdString(toString(most.front().head)),
                          signedNumber(curve[jump] - curve[jump - 1]),
                          QLocale().toString(static_cast<qlonglong>(shown.points[jump].step)));
    }
    if (!shown.leftOut.empty())
        words << tr("step %1 was left out: %2")
                     .arg(QLocale().toString(static_cast<qlonglong>(shown.leftOut.front().step)),
                          QString::fromStdString(shown.leftOut.front().problem));
    return words.join(QStringLiteral(" · "));
}

SideHeads HistoryPanel::theseHeads() const
{
    return {headsShown(Side::Left), headsShown(Side::Right)};
}

figures::DataTable HistoryPanel::table() const
{
    figures::DataTable table{{{"side", {}}, {"step", {}}, {"layer", {}}, {"head", {}}}};
    for (const stats::Metric& metric : stats::allMetrics())
        table.columns.push_back({std::string(metric.name), {}});
    for (const Side side : kSides) {
        const analyses::History* const shown = history(side);
        for (const analyses::HistoryPoint& point :
             shown ? shown->points : std::vector<analyses::HistoryPoint>())
            for (const HeadId head : shown->heads.all()) {
                std::vector<double> row = {static_cast<double>(indexOf(side)),
                                           static_cast<double>(point.step), static_cast<double>(head.layer),
                                           static_cast<double>(head.head)};
                for (const stats::Metric& metric : stats::allMetrics())
                    row.push_back(metric.of(point.stats[shown->heads.indexOf(head)]));
                for (std::size_t column = 0; column < row.size(); ++column)
                    table.columns[column].values.push_back(row[column]);
            }
    }
    return table;
}

std::array<std::string, 2> HistoryPanel::drawnResults() const
{
    std::array<std::string, 2> results;
    for (const Side side : kSides)
        if (const auto* const shown = found<analyses::History>(side))
            results[indexOf(side)] = analyses::toJson(*shown).dump();
    return results;
}

QString HistoryPanel::partOf(const service::AnalysisResult& result) const
{
    const auto* const shown = std::get_if<analyses::History>(&result);
    return shown ? tr("%1 of %2 steps").arg(shown->points.size()).arg(shown->asked) : QString();
}

}  // namespace hs::panels
