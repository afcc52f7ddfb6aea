#include "app/support/commands.h"

#include "analyses/history_json.h"
#include "analyses/written_units.h"
#include "app/support/maps_side.h"
#include "app/support/messages.h"
#include "app/support/metrics_table.h"
#include "app/support/output.h"
#include "app/support/prompt_file.h"
#include "app/support/set_command.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "base/unit_words.h"
#include "engine/run/engine.h"
#include "service/maps_backend.h"

#include <memory>

namespace hs::app {
namespace {

struct MetricsArguments {
    engine::ModelArguments model;
    PromptArguments prompt;
    RunArguments run;
    SetArguments set;
    Units units = Units::Heads;
    double threshold = engine::Capture().threshold;
    bool isOverTraining = false;
    std::string csv;
    std::string json;
};

engine::Capture capture(const MetricsArguments& arguments)
{
    engine::Capture capture;
    capture.loss = false;
    capture.threshold = arguments.threshold;
    return capture;
}

void writeOnly(const engine::RunResult& result, const MetricsArguments& arguments,
               const analyses::WrittenUnits* written = nullptr)
{
    if (!arguments.json.empty()) {
        Json json = metricsJson(result, written);
        json["threshold"] = arguments.threshold;
        writeOutput(arguments.json, json);
    }
    if (!arguments.csv.empty() || arguments.json.empty())
        writeOutput(arguments.csv, metricsCsv(result, written));
}

void measureOnly(const engine::Workspace& workspace, const MetricsArguments& arguments)
{
    engine::Engine engine;
    engine::RunRequest request = makeRequest(workspace, arguments.prompt, arguments.run);
    request.capture = capture(arguments);
    ProgressLine progress("Layer");
    const Hooks hooks{progress.callback(), interruptToken()};
    request.capture.headOutputs = arguments.units == Units::HeadsAndMlps;
    const engine::RunResult result = orThrow(engine.run(request, hooks));
    if (arguments.units == Units::Heads)
        return writeOnly(result, arguments);
    const analyses::WrittenUnits written = analyses::writtenUnits(engine, request, result, hooks);
    writeOnly(result, arguments, &written);
}

void measureMaps(const service::OpenModel& model, const MetricsArguments& arguments)
{
    if (!arguments.set.prompts.empty())
        fail(ErrorCode::BadRequest, "Maps from a file bring their own tokens; leave out --prompts.");
    if (arguments.units != Units::Heads)
        fail(ErrorCode::BadRequest, "Maps from a file have no MLPs; leave out --units.");
    ProgressLine progress("Layer");
    writeOnly(service::summarizeMaps(*model.maps, /*tileSide=*/1, arguments.threshold,
                                     {progress.callback(), interruptToken()}),
              arguments);
}

void measureSet(const engine::Workspace& workspace, const MetricsArguments& arguments)
{
    engine::Capture ofPrompt = capture(arguments);
    ofPrompt.loss = !arguments.json.empty();  // which lists the prompts with theirs
    const bool isOfUnits = arguments.units == Units::HeadsAndMlps;
    Json about = {
        {"command", "metrics"}, {"model", workspace.model->facts().name}, {"threshold", arguments.threshold}};
    if (isOfUnits)
        about["units"] = wordOf(arguments.units);
    runSetTask({isOfUnits ? analyses::SetStudyKind::WrittenUnits : analyses::SetStudyKind::Metrics,
                {&workspace},
                arguments.set,
                arguments.prompt.withoutBos,
                arguments.run,
                ofPrompt,
                std::move(about),
                {arguments.json, arguments.csv, {}}});
}

/// Every step of the training that was kept. If it is stopped, those done by then are written.
void measureTraining(const MetricsArguments& arguments)
{
    const engine::ModelArguments& model = arguments.model;
    const auto requestAt = [&](const model::Revision& revision) {
        engine::RunRequest request = makeRequest(openWorkspace({revision.source, model.device, model.dtype}),
                                                 arguments.prompt, arguments.run);
        request.capture = capture(arguments);
        request.capture.loss = true;
        return request;
    };
    analyses::History known;
    ProgressLine progress("Step");
    const Result<analyses::History> found = analyses::historyOf(
        model::revisionsOf(model.model, model::Environment::fromProcess()), requestAt,
        {progress.callback(), interruptToken()}, [&](const analyses::History& part) { known = part; });
    const bool isStopped = !found && found.error().code == ErrorCode::Cancelled && !known.points.empty();
    if (!isStopped)
        known = orThrow(found);
    for (const analyses::LeftOutRevision& revision : known.leftOut)
        say("Step " + std::to_string(revision.step) + " was left out: " + revision.problem);
    if (!arguments.json.empty()) {
        Json json = analyses::toJson(known);
        json["threshold"] = arguments.threshold;
        writeOutput(arguments.json, json);
    }
    if (!arguments.csv.empty() || arguments.json.empty())
        writeOutput(arguments.csv, metricsCsv(known));
    if (isStopped)
        fail(ErrorCode::Cancelled, "Stopped after " + std::to_string(known.points.size()) +
                                       " steps, which were written; run it again for all.");
}

void run(const MetricsArguments& arguments)
{
    parseShard(arguments.set.shard);
    requireWritable(arguments.json);
    requireWritable(arguments.csv);
    if (arguments.isOverTraining)
        return measureTraining(arguments);
    if (const auto maps = openMaps(arguments.model.model, arguments.prompt, arguments.run))
        return measureMaps(*maps->model, arguments);
    const engine::Workspace workspace = openWorkspace(arguments.model);
    if (arguments.set.prompts.empty())
        measureOnly(workspace, arguments);
    else
        measureSet(workspace, arguments);
}

}  // namespace

void addMetricsCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<MetricsArguments>();
    CLI::App& command = *app.add_subcommand("metrics", "One row of numbers for every head");
    addModelOptions(command, arguments->model);
    addPromptOptions(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    addAdapterOption(command, arguments->run);
    addSetOptions(command, arguments->set);
    addBlocksOption(command, arguments->prompt);
    addWordOption(
        command, "--units", arguments->units,
        "heads, or heads+mlps: a row for every MLP, too, and what each unit writes as columns logit (its "
        "share of the predicted token's) and norm (its length, mean over tokens)");
    command.add_option("--threshold", arguments->threshold, "Weight above which density_above counts a cell")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command
        .add_flag("--over-training", arguments->isOverTraining,
                  "A row for every step of the model's training that was kept: in folders such as "
                  "checkpoint-500 and checkpoint-1000, or as branches of a download")
        ->excludes("--prompts")
        ->excludes("--units");
    command.add_option("--csv", arguments->csv, "Where the CSV goes; - (default) is standard output")
        ->type_name("F");
    command.add_option("--json", arguments->json, "Where the JSON goes; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
