#include "commands.h"

#include "output.h"
#include "sweep_table.h"

#include <memory>

namespace hs {
namespace {

struct Arguments {
    std::vector<std::string> parts;
    std::string csv;
    std::string json;
};

void run(const Arguments& arguments)
{
    std::vector<SweepTable> parts;
    for (const std::string& file : arguments.parts)
        parts.push_back(sweepTableFrom(readJsonFile(file, std::uint64_t{1} << 30), file));
    const SweepTable whole = merged(std::move(parts));
    if (!arguments.json.empty())
        writeOutput(arguments.json, toJson(whole));
    if (!arguments.csv.empty() || arguments.json.empty())
        writeOutput(arguments.csv, toCsv(whole));
}

}  // namespace

void addMergeCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App& command = *app.add_subcommand("merge", "Joins the shards of a sweep");
    command.add_option("parts", arguments->parts, "JSON files that sweep --shard wrote")
        ->required()
        ->type_name("F");
    command.add_option("--csv", arguments->csv, "Where the CSV goes; - (default) is standard output")
        ->type_name("F");
    command.add_option("--json", arguments->json, "Where the JSON goes; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs
