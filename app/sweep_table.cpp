#include "sweep_table.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "output.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace hs {
namespace {

struct Column {
    const char* name;
    double VariantReading::*value;
};

constexpr std::array kColumns = {
    Column{"logit", &VariantReading::logit}, Column{"logit_diff", &VariantReading::logitDifference},
    Column{"prob", &VariantReading::probability}, Column{"loss", &VariantReading::loss},
    Column{"kl", &VariantReading::divergence}};

std::string number(double value)
{
    char text[32] = "";
    if (std::isfinite(value))
        std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

/// What a unit is called in its layer's column of the CSV and in JSON.
std::string indexName(const std::string& units)
{
    return units == "groups" ? "kv_group" : "head";
}

Json toJson(const VariantReading& reading)
{
    Json json;
    for (const Column& column : kColumns)
        json[column.name] = numberOrNull(reading.*column.value);
    return json;
}

VariantReading readingFrom(const Json& json)
{
    VariantReading reading;
    for (const Column& column : kColumns) {
        const Json& value = json.at(column.name);
        reading.*column.value = value.is_null() ? NAN : value.get<double>();
    }
    return reading;
}

SweptPrompt promptFrom(const Json& json, const std::string& units)
{
    SweptPrompt prompt;
    prompt.index = json.at("index");
    prompt.text = json.at("text");
    prompt.sweep.baseline = readingFrom(json.at("baseline"));
    for (const Json& row : json.at("changes")) {
        prompt.sweep.units.push_back(
            {row.at("layer"), units == "layers" ? 0 : row.at(indexName(units)).get<int>()});
        prompt.sweep.changes.push_back(readingFrom(row));
    }
    return prompt;
}

/// Mean and deviation of one column of one unit over the prompts.
std::pair<double, double> spread(const SweepTable& table, std::size_t unit, const Column& column)
{
    double sum = 0;
    double squares = 0;
    for (const SweptPrompt& prompt : table.prompts)
        sum += prompt.sweep.changes[unit].*column.value;
    const auto count = static_cast<double>(table.prompts.size());
    const double mean = sum / count;
    for (const SweptPrompt& prompt : table.prompts)
        squares += std::pow(prompt.sweep.changes[unit].*column.value - mean, 2);
    return {mean, table.prompts.size() > 1 ? std::sqrt(squares / (count - 1)) : NAN};
}

void requireTogether(const SweepTable& first, const SweepTable& other)
{
    const bool isSame = first.model == other.model && first.units == other.units &&
                        first.method == other.method && first.promptCount == other.promptCount &&
                        first.prompts.front().sweep.units == other.prompts.front().sweep.units;
    if (!isSame)
        fail(ErrorCode::BadRequest, "The parts are of different sweeps; merge those that were made with the "
                                    "same model, prompts and options.");
}

}  // namespace

Json toJson(const SweepTable& table)
{
    Json prompts = Json::array();
    for (const SweptPrompt& prompt : table.prompts) {
        Json changes = Json::array();
        for (std::size_t unit = 0; unit < prompt.sweep.units.size(); ++unit) {
            Json row = toJson(prompt.sweep.changes[unit]);
            row["layer"] = prompt.sweep.units[unit].layer;
            if (table.units != "layers")
                row[indexName(table.units)] = prompt.sweep.units[unit].index;
            changes.push_back(std::move(row));
        }
        prompts.push_back({{"index", prompt.index},
                           {"text", prompt.text},
                           {"baseline", toJson(prompt.sweep.baseline)},
                           {"changes", std::move(changes)}});
    }
    return {{"sweep", 1},
            {"model", table.model},
            {"units", table.units},
            {"method", table.method},
            {"prompt_count", table.promptCount},
            {"prompts", std::move(prompts)}};
}

SweepTable sweepTableFrom(const Json& json, const std::string& what)
{
    try {
        if (json.at("sweep") != 1)
            fail(ErrorCode::BadFile, what + " was written by another version; make it again.");
        SweepTable table;
        table.model = json.at("model");
        table.units = json.at("units");
        table.method = json.at("method");
        table.promptCount = json.at("prompt_count");
        for (const Json& prompt : json.at("prompts"))
            table.prompts.push_back(promptFrom(prompt, table.units));
        for (const SweptPrompt& prompt : table.prompts)
            if (prompt.sweep.units != table.prompts.front().sweep.units)
                fail(ErrorCode::BadFile, what + " mixes prompts of different models; make it again.");
        return table;
    } catch (const Json::exception& error) {
        fail(ErrorCode::BadFile,
             what + " is no part of a sweep; give files that headscope sweep --json wrote.", error.what());
    }
}

std::string toCsv(const SweepTable& table)
{
    const bool isSpread = table.promptCount > 1;
    std::string csv = table.units == "layers" ? "layer" : "layer," + indexName(table.units);
    for (const Column& column : kColumns)
        csv += std::string(",") + column.name;
    if (isSpread) {
        for (const Column& column : kColumns)
            csv += std::string(",") + column.name + "_sd";
        csv += ",prompts";
    }
    csv += "\n";
    if (table.prompts.empty())
        return csv;
    const std::vector<SweepUnit>& units = table.prompts.front().sweep.units;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        csv += std::to_string(units[unit].layer);
        if (table.units != "layers")
            csv += "," + std::to_string(units[unit].index);
        std::string deviations;
        for (const Column& column : kColumns) {
            const auto [mean, deviation] = spread(table, unit, column);
            csv += "," + number(mean);
            deviations += "," + number(deviation);
        }
        if (isSpread)
            csv += deviations + "," + std::to_string(table.prompts.size());
        csv += "\n";
    }
    return csv;
}

SweepTable merged(std::vector<SweepTable> parts)
{
    std::erase_if(parts, [](const SweepTable& part) { return part.prompts.empty(); });
    if (parts.empty())
        fail(ErrorCode::BadRequest, "The parts hold no prompts; check which files they are.");
    SweepTable whole = parts.front();
    for (std::size_t index = 1; index < parts.size(); ++index) {
        requireTogether(whole, parts[index]);
        whole.prompts.insert(whole.prompts.end(), parts[index].prompts.begin(), parts[index].prompts.end());
    }
    std::ranges::stable_sort(whole.prompts, {}, &SweptPrompt::index);
    for (std::size_t index = 0; index < whole.prompts.size(); ++index)
        if (whole.prompts[index].index != static_cast<int>(index))
            fail(ErrorCode::BadRequest, "Prompt " + std::to_string(index) +
                                            (index > 0 && whole.prompts[index].index < static_cast<int>(index)
                                                 ? " or one before it is in two parts; give each part once."
                                                 : " is in none of the parts; add the shard that has it."));
    if (static_cast<int>(whole.prompts.size()) != whole.promptCount)
        fail(ErrorCode::BadRequest, "The parts hold " + formatCount(std::ssize(whole.prompts)) + " of " +
                                        formatCount(whole.promptCount) +
                                        " prompts; add the shards that have the others.");
    return whole;
}

}  // namespace hs
