#include "control/figure_results.h"

#include "base/failure.h"
#include "base/json.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

namespace hs {
namespace {

constexpr int kMost = 1'000'000;  // layers, heads and positions no model reaches

[[noreturn]] void refuse(const std::string& what)
{
    fail(ErrorCode::BadFile, "The result has no " + what +
                                 "; make it again with headscope attribute, circuit or "
                                 "sweep.");
}

int wholeNumber(const Json& object, const char* name)
{
    if (!object.is_object() || !object.contains(name) || !object[name].is_number_integer())
        refuse(std::string("\"") + name + "\" that is a whole number");
    const auto value = object[name].get<std::int64_t>();
    if (value < 0 || value > kMost)
        refuse(std::string("\"") + name + "\" within a model's bounds");
    return static_cast<int>(value);
}

double number(const Json& object, const char* name)
{
    if (!object.is_object() || !object.contains(name) || !object[name].is_number())
        refuse(std::string("\"") + name + "\" that is a number");
    return object[name].get<double>();
}

HeadId headOf(const Json& object)
{
    return {wholeNumber(object, "layer"), wholeNumber(object, "head")};
}

Json parsed(const std::string& text)
{
    Json tree = parseJson(text, "the result of the analysis");
    if (!tree.is_object())
        refuse("JSON object");
    return tree;
}

const Json& listIn(const Json& tree, const char* name)
{
    if (!tree.contains(name) || !tree[name].is_array())
        refuse(std::string("list \"") + name + "\"");
    return tree[name];
}

std::vector<HeadId> byMagnitude(std::vector<std::pair<HeadId, double>> effects)
{
    std::stable_sort(effects.begin(), effects.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
    std::vector<HeadId> heads;
    for (const auto& [head, effect] : effects)
        heads.push_back(head);
    return heads;
}

std::vector<std::string> fieldsOf(const std::string& line)
{
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');)
        fields.push_back(field);
    return fields;
}

double valueOf(const std::string& field)
{
    std::istringstream stream(field);
    stream.imbue(std::locale::classic());
    double value = 0;
    return stream >> value ? value : 0;
}

/// A sweep's table: by its logit difference where it has one, else by its logit.
std::vector<HeadId> readSweep(const std::string& text)
{
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    std::map<std::string, std::size_t> columns;
    for (const std::string& name : fieldsOf(line))
        columns.emplace(name, columns.size());
    if (!columns.contains("layer") || !columns.contains("head") || !columns.contains("logit"))
        refuse("columns layer, head and logit");
    std::vector<std::pair<HeadId, double>> effects;
    while (std::getline(lines, line)) {
        const std::vector<std::string> fields = fieldsOf(line);
        const auto field = [&](const std::string& name) {
            const auto column = columns.find(name);
            return column != columns.end() && column->second < fields.size() ? fields[column->second]
                                                                             : std::string();
        };
        const std::string difference = field("logit_diff");
        const auto bounded = [](double value) {
            return static_cast<int>(std::clamp(value, 0.0, double{kMost}));
        };
        effects.push_back({{bounded(valueOf(field("layer"))), bounded(valueOf(field("head")))},
                           valueOf(difference.empty() ? field("logit") : difference)});
    }
    return byMagnitude(std::move(effects));
}

}  // namespace

std::vector<HeadId> readRanking(const std::string& text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || text[first] != '{')
        return readSweep(text);
    const Json tree = parsed(text);
    std::vector<HeadId> heads;
    if (!tree.contains("units")) {
        std::vector<std::pair<HeadId, double>> effects;
        for (const Json& unit : listIn(tree, "heads"))
            effects.emplace_back(headOf(unit), number(unit, "value"));
        return byMagnitude(std::move(effects));
    }
    std::set<HeadId> seen;
    for (const Json& unit : listIn(tree, "units"))
        if (const HeadId head = headOf(unit); seen.insert(head).second)
            heads.push_back(head);
    return heads;
}

std::vector<CellContribution> readContributions(const std::string& text)
{
    const Json tree = parsed(text);
    std::vector<CellContribution> edges;
    for (const Json& edge : listIn(tree, "edges"))
        edges.push_back(
            {headOf(edge), wholeNumber(edge, "query"), wholeNumber(edge, "key"), number(edge, "value")});
    return edges;
}

EffectCurve readCurve(const std::string& text)
{
    const Json tree = parsed(text);
    EffectCurve curve;
    for (const Json& point : listIn(tree, "curve")) {
        if (!point.is_array() || point.size() != 2 || !point[0].is_number_integer() || !point[1].is_number())
            refuse("curve of [kept, effect] pairs");
        curve.points.push_back(
            {static_cast<int>(std::clamp<std::int64_t>(point[0].get<std::int64_t>(), 0, kMost)),
             point[1].get<double>()});
    }
    std::stable_sort(curve.points.begin(), curve.points.end(),
                     [](const EffectPoint& a, const EffectPoint& b) { return a.kept < b.kept; });
    if (tree.contains("smallest") && tree["smallest"].is_number_integer())
        curve.smallest = wholeNumber(tree, "smallest");
    return curve;
}

bool isOfEdges(const std::string& text)
{
    const Json tree = parsed(text);
    return tree.contains("unit") && tree["unit"] == "edges";
}

}  // namespace hs
