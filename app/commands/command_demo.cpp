#include "app/support/commands.h"

#include "app/commands/demo_circuits.h"
#include "app/commands/demo_features.h"
#include "app/commands/demo_report.h"
#include "app/support/arguments.h"
#include "app/support/output.h"
#include "base/failure.h"
#include "train/task_suite.h"

#include <memory>

namespace hs::app {
namespace {

struct DemoArguments {
    bool isReport = false;
    int examples = 0;
    int pairs = 0;
    bool isCircuits = false;
    bool isFeatures = false;
    DemoCircuitOptions circuits;
    std::string device = "auto";
    std::string json;
};

/// The prompt up to its last answer, as one would type it, and what may follow.
Json exampleOf(const train::TaskSuite& suite, const train::TaskPrompt& prompt)
{
    const train::TaskAnswer& answer = prompt.answers.back();
    Json answers = Json::array();
    for (std::int64_t id = answer.first; id <= answer.last; ++id)
        answers.push_back(suite.text(std::vector{id}));
    return {{"task", train::taskName(prompt.task)},
            {"text", suite.text(prompt.beginning(answer))},
            {"answers", std::move(answers)}};
}

Json examplesOf(int countEach)
{
    const train::TaskSuite suite;
    Json examples = Json::array();
    for (int task = 0; task < train::kTaskCount; ++task)
        for (int number = 0; number < countEach; ++number)
            examples.push_back(
                exampleOf(suite, suite.prompt(static_cast<train::Task>(task), train::Split::HeldOut,
                                              static_cast<std::uint64_t>(number))));
    return examples;
}

/// One JSON object per line.
std::string pairsOf(int countEach)
{
    const train::TaskSuite suite;
    std::string lines;
    for (int task = 0; task < train::kTaskCount; ++task)
        for (int number = 0; number < countEach; ++number) {
            const train::TaskPair pair =
                suite.pair(static_cast<train::Task>(task), static_cast<std::uint64_t>(number));
            lines += Json{{"task", train::taskName(pair.task)},
                          {"clean", pair.cleanText},
                          {"corrupted", pair.corruptedText},
                          {"target", suite.text(std::vector{pair.target})},
                          {"versus", suite.text(std::vector{pair.versus})}}
                         .dump() +
                     "\n";
        }
    return lines;
}

void reportCircuits(const DemoArguments& arguments)
{
    DemoCircuitOptions options = arguments.circuits;
    options.device = arguments.device;
    const std::vector<DemoCircuits> tasks = measureDemoCircuits(options);
    if (!arguments.json.empty())
        writeOutput(arguments.json, toJson(tasks, options));
    if (arguments.json != "-")
        writeOutput("-", circuitsTable(tasks, options));
}

void reportCrossings(const DemoArguments& arguments)
{
    const std::vector<DemoCrossings> tasks = measureDemoCrossings(arguments.device);
    if (!arguments.json.empty())
        writeOutput(arguments.json, toJson(tasks));
    if (arguments.json != "-")
        writeOutput("-", crossingsTable(tasks));
}

void run(const DemoArguments& arguments)
{
    if (arguments.examples > 0) {
        writeOutput(arguments.json, examplesOf(arguments.examples));
        return;
    }
    if (arguments.pairs > 0) {
        writeOutput(arguments.json, pairsOf(arguments.pairs));
        return;
    }
    requireWritable(arguments.json);
    if (arguments.isCircuits) {
        reportCircuits(arguments);
        return;
    }
    if (arguments.isFeatures) {
        reportCrossings(arguments);
        return;
    }
    const std::vector<DemoFigures> figures = measureDemoPair(arguments.device);
    if (!arguments.json.empty())
        writeOutput(arguments.json, toJson(figures));
    if (arguments.json != "-")
        writeOutput("-", demoTable(figures));
}

}  // namespace

void addDemoCommand(CLI::App& app, Action& action)
{
    static constexpr int kMostPrompts = 100000;
    auto arguments = std::make_shared<DemoArguments>();
    CLI::App& command = *app.add_subcommand("demo", "The demo pair and the built-in tasks it was made for");
    CLI::App& what = *command.add_option_group("what", "What is wanted");
    what.add_flag("--report", arguments->isReport,
                  "Scores, loss, active edges and heads of both models on held-out prompts");
    what.add_option("--examples", arguments->examples,
                    "N held-out prompts of each task with their answers [3]")
        ->check(CLI::Range(1, kMostPrompts))
        ->expected(0, 1)
        ->default_str("3")
        ->type_name("N");
    what.add_option("--pairs", arguments->pairs,
                    "N clean and corrupted prompts of each task for circuit, a line of JSON each")
        ->check(CLI::Range(1, kMostPrompts))
        ->type_name("N");
    auto* const circuits = what.add_flag(
        "--circuits", arguments->isCircuits,
        "How few heads and edges explain the answers of four tasks, in both models: takes minutes");
    what.add_flag(
        "--features", arguments->isFeatures,
        "How few heads carry the strongest line between two tokens in the graphs of both models, on 12 "
        "held-out prompts of each task: takes minutes");
    what.require_option(1);
    command
        .add_option("--count", arguments->circuits.pairsEach, "Held-out pairs of each task for --circuits")
        ->check(CLI::Range(1, kMostPrompts))
        ->needs(circuits)
        ->capture_default_str();
    command.add_option("--level", arguments->circuits.level, "Explained effect that circuits reach")
        ->check(CLI::Range(0.0, 1.0))
        ->needs(circuits)
        ->capture_default_str();
    addWordOption(command, "--rank", arguments->circuits.ranking,
                  "As for circuit: restore, remove or gradient")
        ->needs(circuits);
    command.add_option("--device", arguments->device, kDeviceWords)->capture_default_str();
    command.add_option("--json", arguments->json, "Where the JSON goes; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
