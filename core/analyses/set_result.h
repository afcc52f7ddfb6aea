#pragma once

#include "analyses/set_maps.h"
#include "base/json_reader.h"
#include "stats/value_sums.h"
#include "text/prompt_set.h"

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace hs::analyses {

/// Named quantities, summed over the prompts of a set.
struct SetGroup {
    std::string name;                    // "heads"
    std::vector<std::string> rows;       // "L0H0"
    std::vector<std::string> columns;    // "peak"
    std::vector<stats::ValueSums> sums;  // [row, column]

    SetGroup(std::string name, std::vector<std::string> rows, std::vector<std::string> columns);
    stats::ValueSums& at(std::size_t row, std::size_t column) { return sums[row * columns.size() + column]; }
    const stats::ValueSums& at(std::size_t row, std::size_t column) const
    {
        return sums[row * columns.size() + column];
    }

    friend bool operator==(const SetGroup&, const SetGroup&) = default;
};

/// What one model said to a prompt.
struct SetAnswer {
    double loss = NAN;   // NaN: not asked for
    std::string answer;  // the most probable next token
    double probability = NAN;
};

/// One prompt of a set: what a list of them shows.
struct SetRow {
    int index = 0;
    int tokens = 0;
    std::array<SetAnswer, 2> sides;  // the second for a pair of models
};

/// What is known of a set of prompts, or of a part of it. Parts in any order and grouping give the same whole.
struct SetResult {
    Json about = Json::object();  // command, models, options: what all parts of it share
    int promptCount = 0;          // of the whole set
    int sideCount = 1;
    std::vector<SetGroup> groups;
    std::optional<SetMaps> maps;
    std::vector<SetRow> rows;                  // by index
    std::vector<text::LeftOutPrompt> leftOut;  // by index

    bool isWhole() const { return std::ssize(rows) + std::ssize(leftOut) == promptCount; }
    bool has(int index) const;
    const SetGroup* group(const std::string& name) const;
};

/// Estimates of all quantities, every prompt, those left out; of a part also its sums, from which parts are joined
/// and work goes on.
Json toJson(const SetResult& result);
Json toJson(const std::vector<text::LeftOutPrompt>& leftOut);
std::vector<text::LeftOutPrompt> leftOutFrom(const JsonReader& list);
Json toJson(const stats::Estimate& estimate);
/// Whether JSON is one that toJson(SetResult) wrote.
bool isSetResult(const Json& json);
/// Reads a part; `what` names it in errors. Throws Failure, also for a whole, which has no sums.
SetResult setResultFrom(const Json& json, const std::string& what, std::uint64_t mapBudget);

/// The group "heads", a row a head: each quantity's mean, deviation and interval, and how many prompts there are; behind
/// those of a layer its row of "mlps", if there is that group.
std::string toCsv(const SetResult& result);

/// Adds a part to another of the same set. Throws Failure.
void addPart(SetResult& result, const SetResult& part);
/// The parts as a whole. Throws Failure if they do not belong together or one is missing.
SetResult merged(std::vector<SetResult> parts);

}  // namespace hs::analyses
