#include "app/support/metrics_table.h"

#include "app/support/parts.h"
#include "app/support/spread.h"
#include "base/failure.h"
#include "base/json_reader.h"
#include "stats/metric_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace hs::app {
namespace {

constexpr int kMetricsVersion = 1;
constexpr int kMostMeasured = std::numeric_limits<int>::max();

std::string metricNumber(double value)
{
    char text[32] = "";
    if (std::isfinite(value))
        std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

MeasuredPrompt measuredFrom(const JsonReader& reader)
{
    MeasuredPrompt prompt;
    prompt.index = reader["index"].integer(0, kMostMeasured);
    prompt.text = reader["text"].text();
    prompt.density = reader["density"].numberOrNaN();
    for (const JsonReader& row : reader["heads"].items()) {
        prompt.heads.push_back(
            {row["layer"].integer(0, kMostMeasured), row["head"].integer(0, kMostMeasured)});
        std::vector<double>& values = prompt.values.emplace_back();
        for (const stats::Metric& metric : stats::allMetrics())
            values.push_back(row[std::string(metric.name).c_str()].numberOrNaN());
    }
    return prompt;
}

/// One metric of one head, over the prompts that have it.
Spread metricSpread(const MetricsTable& table, std::size_t head, std::size_t metric)
{
    std::vector<double> values;
    for (const MeasuredPrompt& prompt : table.prompts)
        if (const double value = prompt.values[head][metric]; std::isfinite(value))
            values.push_back(value);
    return spreadOf(values);
}

bool areOfOneRun(const MetricsTable& first, const MetricsTable& other)
{
    return first.model == other.model && first.threshold == other.threshold &&
           first.promptCount == other.promptCount && first.conditions == other.conditions &&
           first.prompts.front().heads == other.prompts.front().heads;
}

}  // namespace

MeasuredPrompt measuredPrompt(int index, std::string text, const engine::RunResult& result)
{
    MeasuredPrompt prompt{index, std::move(text), result.density, {}, {}};
    prompt.heads = result.heads.all();
    for (const HeadId head : prompt.heads) {
        std::vector<double>& values = prompt.values.emplace_back();
        for (const stats::Metric& metric : stats::allMetrics())
            values.push_back(metric.of(result.statsOf(head)));
    }
    return prompt;
}

Json toJson(const MeasuredPrompt& prompt)
{
    Json rows = Json::array();
    for (std::size_t head = 0; head < prompt.heads.size(); ++head) {
        Json row = {{"layer", prompt.heads[head].layer}, {"head", prompt.heads[head].head}};
        for (std::size_t metric = 0; metric < stats::allMetrics().size(); ++metric)
            row[std::string(stats::allMetrics()[metric].name)] = numberOrNull(prompt.values[head][metric]);
        rows.push_back(std::move(row));
    }
    return {{"density", numberOrNull(prompt.density)}, {"heads", std::move(rows)}};
}

Json toJson(const MetricsTable& table)
{
    Json prompts = Json::array();
    for (const MeasuredPrompt& prompt : table.prompts) {
        Json row = toJson(prompt);
        row["index"] = prompt.index;
        row["text"] = prompt.text;
        prompts.push_back(std::move(row));
    }
    return {{"metrics", kMetricsVersion},     {"model", table.model},
            {"threshold", table.threshold},   {"prompt_count", table.promptCount},
            {"conditions", table.conditions}, {"prompts", std::move(prompts)}};
}

bool isMetricsPart(const Json& json)
{
    return json.is_object() && json.contains("metrics");
}

MetricsTable metricsTableFrom(const Json& json, const std::string& what)
{
    const JsonReader reader(json, what, "give files that headscope metrics --prompts wrote");
    if (reader["metrics"].json() != kMetricsVersion)
        fail(ErrorCode::BadFile, what + " was written by another version; make it again.");
    MetricsTable table;
    table.model = reader["model"].text();
    table.threshold = reader["threshold"].number();
    table.promptCount = reader["prompt_count"].integer(1, kMostMeasured);
    table.conditions = reader["conditions"].json();
    for (const JsonReader& prompt : reader["prompts"].items()) {
        table.prompts.push_back(measuredFrom(prompt));
        if (table.prompts.back().heads != table.prompts.front().heads)
            reader.bad("mixes prompts of different models");
    }
    return table;
}

std::string toCsv(const MetricsTable& table)
{
    const bool isSpread = table.promptCount > 1;
    std::string csv = "layer,head";
    for (const char* const ending : {"", "_sd"})
        for (const stats::Metric& metric : stats::allMetrics())
            if (isSpread || !*ending)
                csv += "," + std::string(metric.name) + ending;
    csv += isSpread ? ",prompts\n" : "\n";
    for (std::size_t head = 0; !table.prompts.empty() && head < table.prompts.front().heads.size(); ++head) {
        const HeadId id = table.prompts.front().heads[head];
        csv += std::to_string(id.layer) + "," + std::to_string(id.head);
        std::string deviations;
        for (std::size_t metric = 0; metric < stats::allMetrics().size(); ++metric) {
            const Spread values = metricSpread(table, head, metric);
            csv += "," + metricNumber(values.mean);
            deviations += "," + metricNumber(values.deviation);
        }
        if (isSpread)
            csv += deviations + "," + std::to_string(table.prompts.size());
        csv += "\n";
    }
    return csv;
}

MetricsTable merged(std::vector<MetricsTable> parts)
{
    std::erase_if(parts, [](const MetricsTable& part) { return part.prompts.empty(); });
    if (parts.empty())
        fail(ErrorCode::BadRequest, "The parts hold no prompts; check which files they are.");
    MetricsTable whole = parts.front();
    for (std::size_t index = 1; index < parts.size(); ++index) {
        if (!areOfOneRun(whole, parts[index]))
            fail(ErrorCode::BadRequest,
                 "The parts are of different runs; merge those that were made with the "
                 "same model, prompts and options.");
        whole.prompts.insert(whole.prompts.end(), parts[index].prompts.begin(), parts[index].prompts.end());
    }
    std::ranges::stable_sort(whole.prompts, {}, &MeasuredPrompt::index);
    std::vector<int> indices;
    for (const MeasuredPrompt& prompt : whole.prompts)
        indices.push_back(prompt.index);
    requireWhole(indices, whole.promptCount, "Prompt");
    return whole;
}

}  // namespace hs::app
