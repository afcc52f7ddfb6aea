#include "analyses/set_result.h"

#include "analyses/head_json.h"
#include "base/failure.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace hs::analyses {
namespace {

constexpr int kSetVersion = 1;
constexpr int kMostInSet = std::numeric_limits<int>::max();

std::string setNumber(double value)
{
    char text[32] = "";
    if (std::isfinite(value))
        std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

std::vector<std::string> namesFrom(const JsonReader& list)
{
    std::vector<std::string> names;
    for (const JsonReader& item : list.items())
        names.push_back(item.text());
    return names;
}

Json estimatesOf(const SetGroup& group)
{
    Json rows = Json::array();
    for (std::size_t row = 0; row < group.rows.size(); ++row) {
        Json values = {{"name", group.rows[row]}};
        if (const auto unit = parseUnit(group.rows[row]))
            values.update(headRow(*unit));
        for (std::size_t column = 0; column < group.columns.size(); ++column)
            values[group.columns[column]] = analyses::toJson(group.at(row, column).estimate());
        rows.push_back(std::move(values));
    }
    return rows;
}

Json sumsOf(const SetResult& result)
{
    Json groups = Json::array();
    for (const SetGroup& group : result.groups) {
        Json sums = Json::array();
        for (const stats::ValueSums& values : group.sums)
            sums.push_back(values.toJson());
        groups.push_back({{"name", group.name},
                          {"rows", group.rows},
                          {"columns", group.columns},
                          {"sums", std::move(sums)}});
    }
    return {{"groups", std::move(groups)},
            {"maps", result.maps ? result.maps->toJson() : Json(nullptr)},
            {"models", result.sideCount}};
}

Json rowJson(const SetRow& row, int sides)
{
    Json json = {{"index", row.index}, {"tokens", row.tokens}};
    for (int side = 0; side < sides; ++side) {
        const SetAnswer& answer = row.sides[static_cast<std::size_t>(side)];
        const Json values = {{"loss", numberOrNull(answer.loss)},
                             {"answer", answer.answer},
                             {"prob", numberOrNull(answer.probability)}};
        if (sides == 1)
            json.update(values);
        else
            json[side == 0 ? "dense" : "sparse"] = values;
    }
    return json;
}

SetRow rowFrom(const JsonReader& reader, int sides)
{
    SetRow row;
    row.index = reader["index"].integer(0, kMostInSet);
    row.tokens = reader["tokens"].integer(1, kMostInSet);
    for (int side = 0; side < sides; ++side) {
        const JsonReader values = sides == 1 ? reader : reader[side == 0 ? "dense" : "sparse"];
        row.sides[static_cast<std::size_t>(side)] = {values["loss"].numberOrNaN(), values["answer"].text(),
                                                     values["prob"].numberOrNaN()};
    }
    return row;
}

/// A row's estimates in the columns of `table`; those that the group lacks are empty.
std::string estimatesIn(const SetGroup& group, std::size_t row, const SetGroup& table)
{
    std::string csv;
    for (const auto part :
         {&stats::Estimate::mean, &stats::Estimate::deviation, &stats::Estimate::low, &stats::Estimate::high})
        for (const std::string& name : table.columns) {
            const auto column = std::ranges::find(group.columns, name);
            csv += ",";
            if (column != group.columns.end())
                csv += setNumber(
                    group.at(row, static_cast<std::size_t>(column - group.columns.begin())).estimate().*part);
        }
    return csv;
}

bool areOfOneSet(const SetResult& a, const SetResult& b)
{
    return a.about == b.about && a.promptCount == b.promptCount && a.sideCount == b.sideCount &&
           a.maps.has_value() == b.maps.has_value() &&
           std::ranges::equal(a.groups, b.groups, [](const SetGroup& left, const SetGroup& right) {
               return left.name == right.name && left.rows == right.rows && left.columns == right.columns;
           });
}

template <class Item>
void joinByIndex(std::vector<Item>& items, const std::vector<Item>& more)
{
    items.insert(items.end(), more.begin(), more.end());
    std::ranges::stable_sort(items, {}, &Item::index);
}

}  // namespace

SetGroup::SetGroup(std::string groupName, std::vector<std::string> rowNames,
                   std::vector<std::string> columnNames)
    : name(std::move(groupName)), rows(std::move(rowNames)), columns(std::move(columnNames)),
      sums(rows.size() * columns.size())
{
}

bool SetResult::has(int index) const
{
    return std::ranges::binary_search(rows, index, {}, &SetRow::index) ||
           std::ranges::binary_search(leftOut, index, {}, &text::LeftOutPrompt::index);
}

const SetGroup* SetResult::group(const std::string& name) const
{
    const auto found = std::ranges::find(groups, name, &SetGroup::name);
    return found == groups.end() ? nullptr : &*found;
}

Json toJson(const stats::Estimate& estimate)
{
    return {{"mean", numberOrNull(estimate.mean)},
            {"sd", numberOrNull(estimate.deviation)},
            {"low", numberOrNull(estimate.low)},
            {"high", numberOrNull(estimate.high)},
            {"count", estimate.count}};
}

Json toJson(const std::vector<text::LeftOutPrompt>& leftOut)
{
    Json list = Json::array();
    for (const text::LeftOutPrompt& prompt : leftOut)
        list.push_back({{"index", prompt.index}, {"problem", prompt.problem}});
    return list;
}

std::vector<text::LeftOutPrompt> leftOutFrom(const JsonReader& list)
{
    std::vector<text::LeftOutPrompt> leftOut;
    for (const JsonReader& prompt : list.items())
        leftOut.push_back({prompt["index"].integer(0, kMostInSet), prompt["problem"].text()});
    return leftOut;
}

Json toJson(const SetResult& result)
{
    Json json = {{"set", kSetVersion},
                 {"about", result.about},
                 {"prompt_count", result.promptCount},
                 {"left_out", toJson(result.leftOut)}};
    for (const SetGroup& group : result.groups)
        json[group.name] = estimatesOf(group);
    Json& prompts = json["prompts"] = Json::array();
    for (const SetRow& row : result.rows)
        prompts.push_back(rowJson(row, result.sideCount));
    if (!result.isWhole())
        json["sums"] = sumsOf(result);
    return json;
}

bool isSetResult(const Json& json)
{
    return json.is_object() && json.contains("set");
}

SetResult setResultFrom(const Json& json, const std::string& what, std::uint64_t mapBudget)
{
    const JsonReader reader(json, what, "give files that --shard or a stopped run wrote with --json");
    if (reader["set"].json() != kSetVersion)
        fail(ErrorCode::BadFile, what + " was written by another version; make it again.");
    SetResult result;
    result.about = reader["about"].json();
    result.promptCount = reader["prompt_count"].integer(1, kMostInSet);
    result.leftOut = leftOutFrom(reader["left_out"]);
    const JsonReader sums = reader["sums"];
    if (!sums)
        reader.bad("holds a whole set, which has nothing to add to");
    result.sideCount = sums["models"].integer(1, 2);
    for (const JsonReader& group : sums["groups"].items()) {
        SetGroup& read = result.groups.emplace_back(group["name"].text(), namesFrom(group["rows"]),
                                                    namesFrom(group["columns"]));
        const JsonReader values = group["sums"];
        if (values.list().size() != read.sums.size())
            values.refuse("a sum for each row and column");
        for (std::size_t index = 0; index < read.sums.size(); ++index)
            read.sums[index] = stats::ValueSums::from(values[index]);
    }
    if (const JsonReader maps = sums["maps"])
        result.maps = SetMaps::from(maps, mapBudget);
    for (const JsonReader& row : reader["prompts"].items())
        result.rows.push_back(rowFrom(row, result.sideCount));
    return result;
}

std::string toCsv(const SetResult& result)
{
    const SetGroup* const heads = result.group("heads");
    if (!heads)
        fail(ErrorCode::BadRequest, "There is no table of heads; name a file for the JSON with --json.");
    std::string csv = "layer,head";
    for (const char* const ending : {"", "_sd", "_low", "_high"})
        for (const std::string& column : heads->columns)
            csv += "," + column + ending;
    csv += ",prompts\n";
    const SetGroup* const mlps = result.group("mlps");
    for (std::size_t row = 0; row < heads->rows.size(); ++row) {
        const HeadId head = orThrow(parseHead(heads->rows[row]));
        csv += std::to_string(head.layer) + "," + std::to_string(head.head) +
               estimatesIn(*heads, row, *heads) + "," + std::to_string(result.rows.size()) + "\n";
        const bool isLast =
            row + 1 == heads->rows.size() || orThrow(parseHead(heads->rows[row + 1])).layer != head.layer;
        if (const auto layer = static_cast<std::size_t>(head.layer);
            mlps && isLast && layer < mlps->rows.size())
            csv += std::to_string(head.layer) + "," + std::string(kMlpName) +
                   estimatesIn(*mlps, layer, *heads) + "," + std::to_string(result.rows.size()) + "\n";
    }
    return csv;
}

void addPart(SetResult& result, const SetResult& part)
{
    if (!areOfOneSet(result, part))
        fail(ErrorCode::BadRequest,
             "The parts are of different sets; join those that were made with the same "
             "command, model, prompts and options.");
    for (const SetRow& row : part.rows)
        if (result.has(row.index))
            fail(ErrorCode::BadRequest,
                 "Prompt " + std::to_string(row.index) + " is in two parts; give each part once.");
    for (std::size_t group = 0; group < result.groups.size(); ++group)
        for (std::size_t index = 0; index < result.groups[group].sums.size(); ++index)
            result.groups[group].sums[index].add(part.groups[group].sums[index]);
    if (result.maps)
        result.maps->add(*part.maps);
    joinByIndex(result.rows, part.rows);
    joinByIndex(result.leftOut, part.leftOut);
}

SetResult merged(std::vector<SetResult> parts)
{
    SetResult whole = std::move(parts.front());
    for (std::size_t part = 1; part < parts.size(); ++part)
        addPart(whole, parts[part]);
    if (!whole.isWhole())
        fail(ErrorCode::BadRequest,
             "The parts hold " + std::to_string(whole.rows.size() + whole.leftOut.size()) + " of " +
                 std::to_string(whole.promptCount) + " prompts; add the shards that have the others.");
    return whole;
}

}  // namespace hs::analyses
