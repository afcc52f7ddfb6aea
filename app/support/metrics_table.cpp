#include "app/support/metrics_table.h"

#include "analyses/history_json.h"
#include "stats/metric_table.h"

#include <cmath>
#include <cstdio>

namespace hs::app {
namespace {

std::string metricNumber(double value)
{
    char text[32] = "";
    if (std::isfinite(value))
        std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

std::string header()
{
    std::string line = "layer,head";
    for (const stats::Metric& metric : stats::allMetrics())
        line += "," + std::string(metric.name);
    return line + "\n";
}

/// A row a head, each behind `before`.
std::string rowsOf(const HeadShape& heads, const std::vector<stats::HeadStats>& stats,
                   const std::string& before)
{
    std::string rows;
    for (const HeadId head : heads.all()) {
        rows += before + std::to_string(head.layer) + "," + std::to_string(head.head);
        for (const stats::Metric& metric : stats::allMetrics())
            rows += "," + metricNumber(metric.of(stats[heads.indexOf(head)]));
        rows += "\n";
    }
    return rows;
}

}  // namespace

Json metricsJson(const engine::RunResult& result)
{
    return {{"density", numberOrNull(result.density)},
            {"heads", analyses::metricRows(result.heads, result.stats)}};
}

std::string metricsCsv(const engine::RunResult& result)
{
    return header() + rowsOf(result.heads, result.stats, {});
}

std::string metricsCsv(const analyses::History& history)
{
    std::string csv = "step," + header();
    for (const analyses::HistoryPoint& point : history.points)
        csv += rowsOf(history.heads, point.stats, std::to_string(point.step) + ",");
    return csv;
}

}  // namespace hs::app
