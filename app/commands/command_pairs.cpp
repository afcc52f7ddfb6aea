#include "app/support/commands.h"

#include "app/support/output.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "base/json.h"
#include "train/model_pairs.h"

#include <memory>

namespace hs::app {
namespace {

struct PairsArguments {
    std::string model;
    text::PairTask task = text::PairTask::IndirectObjects;
    int count = 20;
    std::uint64_t seed = 1;
    std::string json;
};

void run(const PairsArguments& arguments)
{
    requireWritable(arguments.json);
    const std::shared_ptr<const text::Tokenizer> tokenizer = openTokenizer(arguments.model);
    std::string lines;
    for (const text::PromptPair& pair :
         orThrow(train::modelPairs(*tokenizer, arguments.task, arguments.count, arguments.seed)))
        lines += Json{{"task", wordOf(arguments.task)},
                      {"clean", pair.clean},
                      {"corrupted", pair.corrupted},
                      {"target", pair.target},
                      {"versus", pair.versus}}
                     .dump() +
                 "\n";
    writeOutput(arguments.json, lines);
}

}  // namespace

void addPairsCommand(CLI::App& app, Action& action)
{
    static constexpr int kMostPairs = 100000;
    auto arguments = std::make_shared<PairsArguments>();
    CLI::App& command = *app.add_subcommand(
        "pairs", "Clean and corrupted prompts of a known task in a model's own tokens, for circuit --pairs");
    command
        .add_option("--model", arguments->model,
                    "Whose tokenizer cuts the prompts: as for other commands, or a tokenizer's folder")
        ->required()
        ->type_name("DIR");
    addWordOption(command, "--task", arguments->task,
                  "indirect-objects, greater-than, opposites or induction (random words, repeated)")
        ->required()
        ->default_str("");
    command.add_option("--count", arguments->count, "How many")
        ->check(CLI::Range(1, kMostPairs))
        ->capture_default_str();
    command.add_option("--seed", arguments->seed, "Another number gives other pairs")->capture_default_str();
    command.add_option("--json", arguments->json, "Where the JSON lines go; - (default) is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
