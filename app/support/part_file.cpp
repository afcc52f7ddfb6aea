#include "app/support/part_file.h"

#include "app/support/output.h"
#include "base/failure.h"

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
    if (isMetricsPart(json))
        return metricsTableFrom(json, what);
    return sweepTableFrom(json, what);
}

Json readPartJson(const std::string& file)
{
    return readJsonFile(file, kLargestPart);
}

std::vector<int> linesOf(const PartTable& table)
{
    if (const auto* const circuits = std::get_if<CircuitTables>(&table))
        return indicesOf(circuits->front().pairs);
    if (const auto* const metrics = std::get_if<MetricsTable>(&table))
        return indicesOf(metrics->prompts);
    return indicesOf(std::get<SweepTable>(table).prompts);
}

PartTable mergedParts(std::vector<PartTable> parts)
{
    return std::visit([&]<class Table>(const Table&) { return mergedAs<Table>(parts); }, parts.front());
}

void writeTable(const PartTable& table, const std::string& json, const std::string& csv)
{
    const auto write = [&](const auto& known) {
        if constexpr (requires { toCsv(known); }) {
            if (!json.empty())
                writeOutput(json, toJson(known));
            if (!csv.empty() || json.empty())
                writeOutput(csv, toCsv(known));
        } else {
            if (!csv.empty())
                fail(ErrorCode::BadRequest, "Circuits have no CSV; name a file for their JSON with --json.");
            writeOutput(json, toJson(known));
        }
    };
    std::visit(write, table);
}

}  // namespace hs::app
