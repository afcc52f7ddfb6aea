#include "app/support/commands.h"

#include "app/support/circuit_table.h"
#include "app/support/output.h"
#include "app/support/sweep_table.h"
#include "base/failure.h"

#include <algorithm>
#include <memory>

namespace hs::app {
namespace {

constexpr std::uint64_t kLargestPart = std::uint64_t{1} << 30;

struct MergeArguments {
    std::vector<std::string> parts;
    std::string csv;
    std::string json;
};

void mergeSweeps(const std::vector<Json>& files, const MergeArguments& arguments)
{
    std::vector<SweepTable> parts;
    for (std::size_t index = 0; index < files.size(); ++index)
        parts.push_back(sweepTableFrom(files[index], arguments.parts[index]));
    const SweepTable whole = merged(std::move(parts));
    if (!arguments.json.empty())
        writeOutput(arguments.json, toJson(whole));
    if (!arguments.csv.empty() || arguments.json.empty())
        writeOutput(arguments.csv, toCsv(whole));
}

void mergeCircuits(const std::vector<Json>& files, const MergeArguments& arguments)
{
    if (!arguments.csv.empty())
        fail(ErrorCode::BadRequest, "Circuits have no CSV; name a file for their JSON with --json.");
    std::vector<CircuitTables> parts;
    for (std::size_t index = 0; index < files.size(); ++index)
        parts.push_back(circuitTablesFrom(files[index], arguments.parts[index]));
    writeOutput(arguments.json, toJson(merged(std::move(parts))));
}

void run(const MergeArguments& arguments)
{
    requireWritable(arguments.json);
    requireWritable(arguments.csv);
    std::vector<Json> files;
    for (const std::string& file : arguments.parts)
        files.push_back(readJsonFile(file, kLargestPart));
    const auto circuits = std::ranges::count_if(files, isCircuitPart);
    if (circuits != 0 && circuits != std::ssize(files))
        fail(ErrorCode::BadRequest,
             "Some parts are of a sweep and some of circuits; merge those that belong together.");
    if (circuits == 0)
        mergeSweeps(files, arguments);
    else
        mergeCircuits(files, arguments);
}

}  // namespace

void addMergeCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<MergeArguments>();
    CLI::App& command = *app.add_subcommand("merge", "Joins the shards of a sweep or of circuits");
    command.add_option("parts", arguments->parts, "JSON files that sweep or circuit wrote with --shard")
        ->required()
        ->type_name("F");
    command
        .add_option("--csv", arguments->csv,
                    "Where a sweep's CSV goes; - (default unless there is --json) is standard output")
        ->type_name("F");
    command.add_option("--json", arguments->json, "Where the JSON goes; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
