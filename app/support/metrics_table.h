#pragma once

#include "base/head_id.h"
#include "base/json.h"
#include "engine/request/run_result.h"

#include <string>
#include <vector>

namespace hs::app {

/// The metrics of every head on one prompt of a file, or on the only one.
struct MeasuredPrompt {
    int index = 0;  // line of the file, from 0
    std::string text;
    double density = 1;
    std::vector<HeadId> heads;
    std::vector<std::vector<double>> values;  // [head][metric]; NaN where there is none
};

MeasuredPrompt measuredPrompt(int index, std::string text, const engine::RunResult& result);

/// The result of metrics over a file: written as JSON, read back by merge, shown as CSV.
struct MetricsTable {
    std::string model;
    double threshold = 0;
    int promptCount = 1;                  // of the whole file, even in a shard
    Json conditions;                      // from conditionsOf; null for one prompt
    std::vector<MeasuredPrompt> prompts;  // by index
};

/// Density and a row a head.
Json toJson(const MeasuredPrompt& prompt);
Json toJson(const MetricsTable& table);

/// Whether JSON is one that toJson(MetricsTable) wrote.
bool isMetricsPart(const Json& json);
/// Reads what toJson wrote; `what` names it in errors. Throws Failure.
MetricsTable metricsTableFrom(const Json& json, const std::string& what);

/// One row per head: the metrics of the only prompt, or their means, deviations and count over several. A
/// prompt on which a metric does not exist is left out of that metric's mean.
std::string toCsv(const MetricsTable& table);

/// The parts of one table as a whole. Throws Failure if they do not belong together or one is missing.
MetricsTable merged(std::vector<MetricsTable> parts);

}  // namespace hs::app
