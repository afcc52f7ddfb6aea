#include "app/support/commands.h"

#include "app/support/maps_side.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/part_file.h"
#include "app/support/parts.h"
#include "app/support/prompt_file.h"
#include "app/support/soundness.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "engine/run/engine.h"
#include "service/maps_backend.h"

#include <memory>

namespace hs::app {
namespace {

struct MetricsArguments {
    engine::ModelArguments model;
    PromptArguments prompt;
    RunArguments run;
    std::string prompts;
    std::string shard = "1/1";
    double threshold = engine::Capture().threshold;
    std::string csv;
    std::string json;
};

engine::RunRequest measuringRequest(const engine::Workspace& workspace, const PromptArguments& prompt,
                                    const MetricsArguments& arguments)
{
    engine::RunRequest request = makeRequest(workspace, prompt, arguments.run);
    request.capture.loss = false;
    request.capture.threshold = arguments.threshold;
    return request;
}

void writeOnly(const engine::RunResult& result, const MetricsArguments& arguments, MetricsTable table)
{
    table.prompts.push_back(measuredPrompt(0, arguments.prompt.text.value_or(""), result));
    if (!arguments.json.empty()) {
        Json json = toJson(table.prompts.front());
        json["threshold"] = arguments.threshold;
        writeOutput(arguments.json, json);
    }
    if (!arguments.csv.empty() || arguments.json.empty())
        writeOutput(arguments.csv, toCsv(table));
}

void measureOnly(const engine::Workspace& workspace, const MetricsArguments& arguments, MetricsTable table)
{
    engine::Engine engine;
    ProgressLine progress("Layer");
    writeOnly(orThrow(engine.run(measuringRequest(workspace, arguments.prompt, arguments),
                                 {progress.callback(), interruptToken()})),
              arguments, std::move(table));
}

void measureMaps(const service::OpenModel& model, const MetricsArguments& arguments)
{
    if (!arguments.prompts.empty())
        fail(ErrorCode::BadRequest, "Maps from a file bring their own tokens; leave out --prompts.");
    ProgressLine progress("Layer");
    writeOnly(service::summarizeMaps(*model.maps, /*tileSide=*/1, arguments.threshold,
                                     {progress.callback(), interruptToken()}),
              arguments, {model.title, arguments.threshold, 1, {}, {}});
}

/// Every line is checked before the first is run.
void measureFile(const engine::Workspace& workspace, const MetricsArguments& arguments, const Shard& shard,
                 MetricsTable table)
{
    engine::Engine engine;
    const std::vector<TextLine> lines = readTextFile(arguments.prompts);
    std::vector<engine::RunRequest> requests;
    for (const TextLine& line : lines)
        checkedLine(line.where, [&] {
            PromptArguments prompt;
            prompt.text = line.text;
            prompt.withoutBos = arguments.prompt.withoutBos;
            requests.push_back(measuringRequest(workspace, prompt, arguments));
            requireSound([&](const Hooks& hooks) { return engine.run(requests.back(), hooks); });
        });
    table.promptCount = static_cast<int>(lines.size());
    table.conditions = conditionsOf(arguments.prompts, arguments.run, arguments.prompt.withoutBos);
    ProgressLine progress("Prompt");
    const Hooks hooks{progress.callback(), interruptToken()};
    for (const TextLine& line : lines) {
        if (!shard.has(line.index))
            continue;
        hooks.report(line.index, table.promptCount);
        const Result<engine::RunResult> result =
            engine.run(requests[static_cast<std::size_t>(line.index)], Hooks{{}, hooks.stop});
        if (!result && result.error().code == ErrorCode::Cancelled && !table.prompts.empty()) {
            const std::size_t done = table.prompts.size();
            writeTable(std::move(table), arguments.json, arguments.csv);
            fail(ErrorCode::Cancelled, "Stopped after " + std::to_string(done) +
                                           " prompts, whose results were written; run it again for all.");
        }
        table.prompts.push_back(measuredPrompt(line.index, line.text, orThrow(result)));
    }
    writeTable(std::move(table), arguments.json, arguments.csv);
}

void run(const MetricsArguments& arguments)
{
    const Shard shard = parseShard(arguments.shard);
    requireWritable(arguments.json);
    requireWritable(arguments.csv);
    if (const auto maps = openMaps(arguments.model.model, arguments.prompt, arguments.run))
        return measureMaps(*maps->model, arguments);
    const engine::Workspace workspace = openWorkspace(arguments.model);
    MetricsTable table;
    table.model = workspace.model->facts().name;
    table.threshold = arguments.threshold;
    if (arguments.prompts.empty())
        measureOnly(workspace, arguments, std::move(table));
    else
        measureFile(workspace, arguments, shard, std::move(table));
}

}  // namespace

void addMetricsCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<MetricsArguments>();
    CLI::App& command = *app.add_subcommand("metrics", "One row of numbers for every head");
    addModelOptions(command, arguments->model);
    addPromptOptions(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    auto* const file =
        command.add_option("--prompts", arguments->prompts, "JSON lines {\"text\"}: means over all of them")
            ->type_name("F");
    file->excludes("--text")->excludes("--text-file")->excludes("--tokens")->excludes("--chat");
    addShardOption(command, arguments->shard, *file);
    command.add_option("--threshold", arguments->threshold, "Weight above which density_above counts a cell")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--csv", arguments->csv, "Where the CSV goes; - (default) is standard output")
        ->type_name("F");
    command
        .add_option("--json", arguments->json,
                    "Where the JSON goes, every prompt in it; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
