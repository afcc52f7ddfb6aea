#include "app/support/part_file.h"

#include "app/support/output.h"
#include "app/support/prompt_file.h"
#include "app/support/set_npz.h"
#include "base/failure.h"

#include <algorithm>

namespace hs::app {
namespace {

constexpr std::uint64_t kLargestPart = std::uint64_t{1} << 30;

template <class Rows>
std::vector<int> indicesOf(const Rows& rows)
{
    std::vector<int> indices;
    for (const auto& row : rows)
        indices.push_back(row.index);
    return indices;
}

template <class Table>
PartTable mergedAs(std::vector<PartTable>& parts)
{
    std::vector<Table> tables;
    for (PartTable& part : parts) {
        if (!std::holds_alternative<Table>(part))
            fail(ErrorCode::BadRequest,
                 "The parts are of different commands; merge those that belong together.");
        tables.push_back(std::move(std::get<Table>(part)));
    }
    return merged(std::move(tables));
}

}  // namespace

PartTable partTableFrom(const Json& json, const std::string& what)
{
    if (isCircuitPart(json))
        return circuitTablesFrom(json, what);
    if (analyses::isSetResult(json))
        return analyses::setResultFrom(json, what, kLargestPart);
    return sweepTableFrom(json, what);
}

Json readPartJson(const std::string& file)
{
    return readJsonFile(file, kLargestPart);
}

std::vector<int> linesOf(const PartTable& table)
{
    std::vector<int> lines;
    if (const auto* const circuits = std::get_if<CircuitTables>(&table)) {
        lines = indicesOf(circuits->front().pairs);
    } else {
        const auto* const set = std::get_if<analyses::SetResult>(&table);
        lines = set ? indicesOf(set->rows) : indicesOf(std::get<SweepTable>(table).prompts);
        const std::vector<int> leftOut = indicesOf(set ? set->leftOut : std::get<SweepTable>(table).leftOut);
        lines.insert(lines.end(), leftOut.begin(), leftOut.end());
    }
    std::ranges::sort(lines);
    return lines;
}

PartTable mergedParts(std::vector<PartTable> parts)
{
    return std::visit([&]<class Table>(const Table&) { return mergedAs<Table>(parts); }, parts.front());
}

void writeTable(const PartTable& table, const OutputFiles& files)
{
    const auto* const set = std::get_if<analyses::SetResult>(&table);
    if (!files.npz.empty() && !(set && set->maps))
        fail(ErrorCode::BadRequest, "Only headscope run --prompts has maps to write; leave out --npz.");
    const bool hasCsv = std::visit([](const auto& known) { return requires { toCsv(known); }; }, table) &&
                        !(set && set->maps);
    if (!files.csv.empty() && !hasCsv)
        fail(ErrorCode::BadRequest, "Circuits and maps have no CSV; name a file for their JSON with --json.");
    const bool isNowhere = files.json.empty() && files.csv.empty() && files.npz.empty();
    std::visit(
        [&](const auto& known) {
            if (!files.json.empty() || (isNowhere && !hasCsv))
                writeOutput(files.json, toJson(known));
            if constexpr (requires { toCsv(known); })
                if (!files.csv.empty() || (isNowhere && hasCsv))
                    writeOutput(files.csv, toCsv(known));
        },
        table);
    if (!files.npz.empty())
        writeSetNpz(files.npz, *set);
}

void writeSet(const PartTable& table, const OutputFiles& files)
{
    std::vector<text::LeftOutPrompt> leftOut;
    int count = 0;
    if (const auto* const set = std::get_if<analyses::SetResult>(&table)) {
        leftOut = set->leftOut;
        count = set->promptCount;
    } else if (const auto* const sweep = std::get_if<SweepTable>(&table)) {
        leftOut = sweep->leftOut;
        count = sweep->promptCount;
    } else {
        const CircuitTable& circuits = std::get<CircuitTables>(table).front();
        leftOut = leftOutOf(circuits);
        count = circuits.task.pairCount;
    }
    if (!leftOut.empty() && std::ssize(leftOut) == count)
        fail(ErrorCode::BadFile, leftOut.front().problem);
    writeTable(table, files);
    reportLeftOut(leftOut, count);
}

}  // namespace hs::app
