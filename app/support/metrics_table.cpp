#include "app/support/metrics_table.h"

#include "analyses/head_json.h"
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

/// Without the line's end.
std::string rowOf(HeadId head, const stats::HeadStats& stats)
{
    std::string row = std::to_string(head.layer) + "," + std::to_string(head.head);
    for (const stats::Metric& metric : stats::allMetrics())
        row += "," + metricNumber(metric.of(stats));
    return row;
}

/// A row a head, each behind `before`.
std::string rowsOf(const HeadShape& heads, const std::vector<stats::HeadStats>& stats,
                   const std::string& before)
{
    std::string rows;
    for (const HeadId head : heads.all())
        rows += before + rowOf(head, stats[heads.indexOf(head)]) + "\n";
    return rows;
}

}  // namespace

Json metricsJson(const engine::RunResult& result, const analyses::WrittenUnits* written)
{
    Json json = {{"density", numberOrNull(result.density)},
                 {"heads", analyses::metricRows(result.heads, result.stats)}};
    if (!written)
        return json;
    const auto addTo = [&](Json& row, HeadId unit) {
        row[std::string(analyses::kLogitMetric)] = numberOrNull(written->logits.at(unit));
        row[std::string(analyses::kNormMetric)] = numberOrNull(written->norms.at(unit));
    };
    for (Json& row : json["heads"])
        addTo(row, {row["layer"].get<int>(), row["head"].get<int>()});
    json["mlps"] = Json::array();
    for (int layer = 0; layer < result.heads.layers; ++layer) {
        json["mlps"].push_back(analyses::headRow(HeadId::mlpOf(layer)));
        addTo(json["mlps"].back(), HeadId::mlpOf(layer));
    }
    return json;
}

std::string metricsCsv(const engine::RunResult& result, const analyses::WrittenUnits* written)
{
    if (!written)
        return header() + rowsOf(result.heads, result.stats, {});
    std::string csv = header();
    csv.pop_back();
    csv += "," + std::string(analyses::kLogitMetric) + "," + std::string(analyses::kNormMetric) + "\n";
    for (const HeadId unit : result.heads.all(Units::HeadsAndMlps)) {
        csv += unit.isMlp() ? std::to_string(unit.layer) + "," + std::string(kMlpName) +
                                  std::string(stats::allMetrics().size(), ',')
                            : rowOf(unit, result.statsOf(unit));
        csv +=
            "," + metricNumber(written->logits.at(unit)) + "," + metricNumber(written->norms.at(unit)) + "\n";
    }
    return csv;
}

std::string metricsCsv(const analyses::History& history)
{
    std::string csv = "step," + header();
    for (const analyses::HistoryPoint& point : history.points)
        csv += rowsOf(history.heads, point.stats, std::to_string(point.step) + ",");
    return csv;
}

}  // namespace hs::app
