#include "app/support/commands.h"

#include "app/support/generation.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/set_command.h"
#include "app/support/set_npz.h"
#include "app/support/token_output.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "base/npz_writer.h"
#include "engine/run/engine.h"

#include <memory>

namespace hs::app {
namespace {

struct RunCommandArguments {
    engine::ModelArguments model;
    PromptArguments prompt;
    RunArguments run;
    std::string json;
    std::string npz;
    int topK = 10;
    GenerationArguments generation;
    SetArguments set;
};

Json toJson(const engine::RunResult& result, const engine::Workspace& workspace,
            const engine::RunRequest& request)
{
    Json predictions = Json::array();
    for (const engine::Prediction& prediction : result.predictions)
        predictions.push_back({{"id", prediction.token},
                               {"text", tokenText(workspace.tokenizer.get(), prediction.token)},
                               {"prob", prediction.probability},
                               {"logit", prediction.logit}});
    const engine::Model::Facts& facts = workspace.model->facts();
    return {{"model", facts.name},
            {"device", toString(facts.placement)},
            {"dtype", model::name(facts.dtype)},
            {"precision", engine::precisionName(facts.device, facts.dtype, request.tf32)},
            {"tokens", tokenList(request.tokens, workspace.tokenizer.get())},
            {"predictions", std::move(predictions)},
            {"loss", result.loss ? Json(*result.loss) : Json(nullptr)},
            {"density", result.density},
            {"load_ms", workspace.loadMilliseconds},
            {"timing_ms", result.milliseconds}};
}

void writeNpz(const std::string& file, const engine::RunResult& result, const engine::Workspace& workspace,
              const TypedRun& typed)
{
    const std::int64_t vocabulary = workspace.model->spec().vocabulary;
    const std::int64_t places = result.queries();
    const auto layerSize = static_cast<std::size_t>(result.heads.heads * places * places);
    std::vector<std::span<const float>> layers;
    for (const engine::LayerMap& map : result.maps)
        layers.emplace_back(map.get(), layerSize);
    const std::vector<std::span<const float>> logits = {result.logits};

    NpzWriter writer(file);
    writer.add("tokens", result.tokens, {places});
    if (workspace.tokenizer) {
        std::vector<std::u32string> texts;
        for (const text::Token& place : typed.places())
            texts.push_back(charactersOf(place.text));
        writer.add("texts", texts);
    }
    writer.add("attention", layers, {result.heads.layers, result.heads.heads, places, places});
    writer.add("logits", logits, {std::ssize(typed.tokens), vocabulary});
    writer.finish();
}

void averageSet(const engine::Workspace& workspace, const RunCommandArguments& arguments)
{
    engine::Capture capture;
    capture.topK = 1;
    capture.mapBudget = arguments.set.mapBudget();
    runSetTask({analyses::SetStudyKind::Maps,
                {&workspace},
                arguments.set,
                arguments.prompt.withoutBos,
                arguments.run,
                capture,
                {{"command", "run"}, {"model", workspace.model->facts().name}},
                {arguments.json, {}, arguments.npz}});
}

void run(const RunCommandArguments& arguments)
{
    const engine::Workspace workspace = openWorkspace(arguments.model);
    if (!arguments.set.prompts.empty())
        return averageSet(workspace, arguments);
    TypedRun typed = makeRun(workspace, arguments.prompt, arguments.run);
    engine::RunRequest& request = typed.request;
    request.capture.topK = arguments.topK;
    request.capture.fullMaps = request.capture.logits = !arguments.npz.empty();
    request.capture.mapBudget = arguments.set.mapBudget();

    engine::Engine engine;
    ProgressLine progress("Layer");
    const engine::RunResult result = orThrow(engine.run(request, {progress.callback(), interruptToken()}));
    Json json = toJson(result, workspace, request);
    if (request.fold())
        json["blocks"] = blockList(typed.blocks);
    for (const auto& [adapter, strength] : request.adapters)
        json["adapters"].push_back({{"adapter", adapter->facts().name}, {"strength", strength}});
    if (arguments.generation.count > 0)
        json.update(toJson(writeOn(workspace, arguments.model.model, request, arguments.generation),
                           workspace.tokenizer.get()));
    if (!arguments.npz.empty())
        writeNpz(arguments.npz, result, workspace, typed);
    if (!arguments.json.empty() || arguments.npz.empty())
        writeOutput(arguments.json, json);
}

}  // namespace

void addRunCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<RunCommandArguments>();
    CLI::App& command =
        *app.add_subcommand("run", "Run a prompt: predictions, loss, attention of every head");
    addModelOptions(command, arguments->model);
    addPromptOptions(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    addAdapterOption(command, arguments->run);
    addSetOptions(command, arguments->set);
    addBlocksOption(command, arguments->prompt);
    addAverageOptions(command, arguments->set);
    command.add_option("--json", arguments->json, "Where the JSON goes; - (default) is standard output")
        ->type_name("F");
    command
        .add_option("--npz", arguments->npz,
                    "Write tokens, their texts, attention [L,H,T,T] and logits [T,V] for numpy.load and "
                    "headscope view")
        ->type_name("F");
    command.add_option("--top", arguments->topK, "Predictions to list")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    addGenerationOptions(command, arguments->generation);
    command
        .add_option("--map-budget", arguments->set.mapBudgetGigabytes, "Most gigabytes of full maps to hold")
        ->check(CLI::Range(0.0, 1e6))
        ->capture_default_str();
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
