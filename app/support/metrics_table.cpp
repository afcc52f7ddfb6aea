#include "app/support/metrics_table.h"

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

}  // namespace

Json metricsJson(const engine::RunResult& result)
{
    Json rows = Json::array();
    for (const HeadId head : result.heads.all()) {
        Json row = {{"layer", head.layer}, {"head", head.head}};
        for (const stats::Metric& metric : stats::allMetrics())
            row[std::string(metric.name)] = numberOrNull(metric.of(result.statsOf(head)));
        rows.push_back(std::move(row));
    }
    return {{"density", numberOrNull(result.density)}, {"heads", std::move(rows)}};
}

std::string metricsCsv(const engine::RunResult& result)
{
    std::string csv = "layer,head";
    for (const stats::Metric& metric : stats::allMetrics())
        csv += "," + std::string(metric.name);
    csv += "\n";
    for (const HeadId head : result.heads.all()) {
        csv += std::to_string(head.layer) + "," + std::to_string(head.head);
        for (const stats::Metric& metric : stats::allMetrics())
            csv += "," + metricNumber(metric.of(result.statsOf(head)));
        csv += "\n";
    }
    return csv;
}

}  // namespace hs::app
