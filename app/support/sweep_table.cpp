#include "app/support/sweep_table.h"

#include "analyses/analysis_json.h"
#include "analyses/reading_columns.h"
#include "analyses/set_result.h"
#include "app/support/parts.h"
#include "base/failure.h"
#include "stats/value_sums.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace hs::app {
namespace {

constexpr int kVersion = 2;

std::string sweepNumber(double value)
{
    char text[32] = "";
    if (std::isfinite(value))
        std::snprintf(text, sizeof text, "%.9g", value + 0.0);  // -0 is 0
    return text;
}

constexpr int kMostPrompts = std::numeric_limits<int>::max();

/// One column of one unit, over all prompts.
stats::Estimate estimateOf(const SweepTable& table, std::size_t unit, const analyses::ReadingColumn& column)
{
    std::vector<double> values;
    for (const SweptPrompt& prompt : table.prompts)
        values.push_back(prompt.sweep.changes[unit].*column.value);
    return stats::estimateOf(values);
}

void requireTogether(const SweepTable& first, const SweepTable& other)
{
    const bool isSame =
        first.model == other.model && first.units == other.units && first.method == other.method &&
        first.promptCount == other.promptCount && first.conditions == other.conditions &&
        (other.prompts.empty() || first.prompts.front().sweep.units == other.prompts.front().sweep.units);
    if (!isSame)
        fail(ErrorCode::BadRequest, "The parts are of different sweeps; merge those that were made with the "
                                    "same model, prompts and options.");
}

}  // namespace

/// Units over all prompts: what one prompt says of a unit is in its own list.
Json meansOf(const SweepTable& table)
{
    Json rows = Json::array();
    const std::vector<analyses::SweepUnit>& units = table.prompts.front().sweep.units;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        Json row = analyses::toJson(units[unit], table.units);
        for (const analyses::ReadingColumn& column : analyses::kReadingColumns)
            row[column.name] = analyses::toJson(estimateOf(table, unit, column));
        rows.push_back(std::move(row));
    }
    return rows;
}

Json toJson(const SweepTable& table)
{
    Json prompts = Json::array();
    for (const SweptPrompt& prompt : table.prompts) {
        Json row = toJson(prompt.sweep);
        row["index"] = prompt.index;
        row["text"] = prompt.text;
        prompts.push_back(std::move(row));
    }
    Json json = {{"sweep", kVersion},
                 {"model", table.model},
                 {"units", wordOf(table.units)},
                 {"method", wordOf(table.method)},
                 {"prompt_count", table.promptCount},
                 {"conditions", table.conditions},
                 {"left_out", analyses::toJson(table.leftOut)},
                 {"prompts", std::move(prompts)}};
    if (table.prompts.size() > 1)
        json["means"] = meansOf(table);
    return json;
}

SweepTable sweepTableFrom(const Json& json, const std::string& what)
{
    const JsonReader reader(json, what, "give files that headscope sweep --json wrote");
    if (reader["sweep"].json() != kVersion)
        fail(ErrorCode::BadFile, what + " was written by another version; make it again.");
    SweepTable table;
    table.model = reader["model"].text();
    table.units = reader["units"].word<analyses::SweepUnits>();
    table.method = reader["method"].word<analyses::SweepMethod>();
    table.promptCount = reader["prompt_count"].integer(1, kMostPrompts);
    table.conditions = reader["conditions"].json();
    table.leftOut = analyses::leftOutFrom(reader["left_out"]);
    for (const JsonReader& prompt : reader["prompts"].items()) {
        table.prompts.push_back(
            {prompt["index"].integer(0, kMostPrompts), prompt["text"].text(), analyses::sweepFrom(prompt)});
        const analyses::Sweep& sweep = table.prompts.back().sweep;
        const analyses::Sweep& first = table.prompts.front().sweep;
        if (sweep.kind != table.units || sweep.method != table.method || !(sweep.shape == first.shape))
            reader.bad("mixes prompts of different sweeps");
    }
    return table;
}

std::string toCsv(const SweepTable& table)
{
    const bool isSpread = table.promptCount > 1;
    std::string csv = table.units == analyses::SweepUnits::Layers   ? "layer"
                      : table.units == analyses::SweepUnits::Groups ? "layer,kv_group"
                                                                    : "layer,head";
    for (const analyses::ReadingColumn& column : analyses::kReadingColumns)
        csv += std::string(",") + column.name;
    if (isSpread) {
        for (const char* const part : {"_sd", "_low", "_high"})
            for (const analyses::ReadingColumn& column : analyses::kReadingColumns)
                csv += std::string(",") + column.name + part;
        csv += ",prompts";
    }
    csv += "\n";
    if (table.prompts.empty())
        return csv;
    const std::vector<analyses::SweepUnit>& units = table.prompts.front().sweep.units;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        csv += std::to_string(units[unit].layer);
        if (table.units != analyses::SweepUnits::Layers)
            csv += "," + (units[unit].index == HeadId::kMlp ? std::string(kMlpName)
                                                            : std::to_string(units[unit].index));
        std::vector<stats::Estimate> estimates;
        for (const analyses::ReadingColumn& column : analyses::kReadingColumns)
            estimates.push_back(estimateOf(table, unit, column));
        using stats::Estimate;
        for (double Estimate::* const part :
             {&Estimate::mean, &Estimate::deviation, &Estimate::low, &Estimate::high})
            for (const Estimate& estimate : estimates)
                if (isSpread || part == &Estimate::mean)
                    csv += "," + sweepNumber(estimate.*part);
        if (isSpread)
            csv += "," + std::to_string(table.prompts.size());
        csv += "\n";
    }
    return csv;
}

std::string toCsv(const analyses::CellSweep& sweep)
{
    std::string csv = "query,key,weight";
    for (const analyses::ReadingColumn& column : analyses::kReadingColumns)
        csv += std::string(",") + column.name;
    csv += "\n";
    for (const auto& [cell, weight, change] : sweep.cells) {
        csv += std::to_string(cell.query) + "," + std::to_string(cell.key) + "," + sweepNumber(weight);
        for (const analyses::ReadingColumn& column : analyses::kReadingColumns)
            csv += "," + sweepNumber(change.*column.value);
        csv += "\n";
    }
    return csv;
}

SweepTable merged(std::vector<SweepTable> parts)
{
    std::ranges::stable_partition(parts, [](const SweepTable& part) { return !part.prompts.empty(); });
    if (parts.front().prompts.empty())
        fail(ErrorCode::BadRequest, "The parts hold no prompts; check which files they are.");
    SweepTable whole = parts.front();
    for (std::size_t index = 1; index < parts.size(); ++index) {
        requireTogether(whole, parts[index]);
        whole.prompts.insert(whole.prompts.end(), parts[index].prompts.begin(), parts[index].prompts.end());
        whole.leftOut.insert(whole.leftOut.end(), parts[index].leftOut.begin(), parts[index].leftOut.end());
    }
    std::ranges::stable_sort(whole.prompts, {}, &SweptPrompt::index);
    std::ranges::stable_sort(whole.leftOut, {}, &text::LeftOutPrompt::index);
    std::vector<int> indices;
    for (const SweptPrompt& prompt : whole.prompts)
        indices.push_back(prompt.index);
    for (const text::LeftOutPrompt& prompt : whole.leftOut)
        indices.push_back(prompt.index);
    std::ranges::sort(indices);
    requireWhole(indices, whole.promptCount, "Prompt");
    return whole;
}

}  // namespace hs::app
