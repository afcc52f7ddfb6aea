#include "app/support/commands.h"

#include "app/support/output.h"
#include "app/support/part_file.h"

#include <memory>

namespace hs::app {
namespace {

struct MergeArguments {
    std::vector<std::string> parts;
    std::string csv;
    std::string json;
};

void run(const MergeArguments& arguments)
{
    requireWritable(arguments.json);
    requireWritable(arguments.csv);
    std::vector<PartTable> parts;
    for (const std::string& file : arguments.parts)
        parts.push_back(partTableFrom(readPartJson(file), file));
    writeTable(mergedParts(std::move(parts)), arguments.json, arguments.csv);
}

}  // namespace

void addMergeCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<MergeArguments>();
    CLI::App& command =
        *app.add_subcommand("merge", "Joins the shards of a sweep, of circuits or of metrics");
    command
        .add_option("parts", arguments->parts, "JSON files that sweep, circuit or metrics wrote with --shard")
        ->required()
        ->type_name("F");
    command
        .add_option(
            "--csv", arguments->csv,
            "Where the CSV of sweeps and metrics goes; - (default unless there is --json) is standard output")
        ->type_name("F");
    command.add_option("--json", arguments->json, "Where the JSON goes; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
