#include "app/support/commands.h"

#include "app/support/output.h"
#include "app/support/part_file.h"

#include <memory>

namespace hs::app {
namespace {

struct MergeArguments {
    std::vector<std::string> parts;
    OutputFiles files;
};

void run(const MergeArguments& arguments)
{
    requireWritable(arguments.files.json);
    requireWritable(arguments.files.csv);
    std::vector<PartTable> parts;
    for (const std::string& file : arguments.parts)
        parts.push_back(partTableFrom(readPartJson(file), file));
    writeSet(mergedParts(std::move(parts)), arguments.files);
}

}  // namespace

void addMergeCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<MergeArguments>();
    CLI::App& command = *app.add_subcommand(
        "merge", "Joins the shards of a sweep, of circuits, metrics, averages or comparisons");
    command
        .add_option("parts", arguments->parts,
                    "JSON files that sweep, circuit, metrics, run or compare wrote with --shard")
        ->required()
        ->type_name("F");
    command
        .add_option("--csv", arguments->files.csv,
                    "Where the CSV of sweeps, metrics and comparisons goes; - (default unless another is "
                    "named) is standard output")
        ->type_name("F");
    command.add_option("--json", arguments->files.json, "Where the JSON goes; - is standard output")
        ->type_name("F");
    command.add_option("--npz", arguments->files.npz, "Where the averages of maps go")->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
