#include "app/support/commands.h"

#include "analyses/analysis_json.h"
#include "analyses/map_analyses.h"
#include "app/support/maps_side.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/token_output.h"
#include "app/support/workspace.h"
#include "base/failure.h"

#include <memory>

namespace hs::app {
namespace {

struct FlowArguments {
    engine::ModelArguments model;
    PromptArguments prompt;
    RunArguments run;
    double threshold = 0.1;
    std::optional<int> key;
    std::optional<int> query;
    bool hasRollout = false;
    std::string json;
};

void checkEnds(const FlowArguments& arguments, const stats::PatternShape& shape)
{
    if (!arguments.key)
        return;
    const int last = shape.queries - 1;
    for (const int position : {*arguments.key, *arguments.query})
        if (position < 0 || position > last)
            fail(ErrorCode::BadRequest, "There is no position " + std::to_string(position) +
                                            " in this prompt; choose one from 0 to " + std::to_string(last) +
                                            ".");
    if (!shape.contains(*arguments.query, *arguments.key))
        fail(ErrorCode::BadRequest, "Key " + std::to_string(*arguments.key) + " comes after query " +
                                        std::to_string(*arguments.query) +
                                        ", and no token sees later ones; swap --key and --query.");
}

Json toJson(stats::TokenFlow flow, const FlowArguments& arguments)
{
    if (arguments.key)
        flow.edges = stats::edgesBetween(flow, *arguments.key, *arguments.query);
    return analyses::toJson(flow);
}

void runOnMaps(const service::SideRequest& side, const FlowArguments& arguments)
{
    checkEnds(arguments, side.model->maps->facts().pattern);
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::Flow;
    request.side = side;
    request.threshold = arguments.threshold;
    request.hasRollout = arguments.hasRollout;
    ProgressLine progress("Layer");
    Json json = toJson(
        std::get<stats::TokenFlow>(analyseMaps(request, {progress.callback(), interruptToken()})), arguments);
    addTokens(json, *side.model);
    writeOutput(arguments.json, json);
}

void run(const FlowArguments& arguments)
{
    requireWritable(arguments.json);
    if (const auto maps = openMaps(arguments.model.model, arguments.prompt, arguments.run))
        return runOnMaps(*maps, arguments);
    const engine::Workspace workspace = openWorkspace(arguments.model);
    const engine::RunRequest request = makeRequest(workspace, arguments.prompt, arguments.run);
    checkEnds(arguments, static_cast<int>(request.tokens.size()));
    engine::Engine engine;
    ProgressLine progress("Layer");
    const Hooks hooks{progress.callback(), interruptToken()};
    stats::TokenFlow flow = orThrow(analyses::tokenFlow(engine, request, arguments.threshold, hooks));
    if (arguments.hasRollout)
        flow.rollout = orThrow(analyses::attentionRollout(engine, request, hooks));
    Json json = toJson(std::move(flow), arguments);
    json["model"] = workspace.model->facts().name;
    json["tokens"] = tokenList(request.tokens, workspace.tokenizer.get());
    writeOutput(arguments.json, json);
}

}  // namespace

void addFlowCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<FlowArguments>();
    CLI::App& command =
        *app.add_subcommand("flow", "Which tokens can reach which through the heads' edges, layer by layer");
    addModelOptions(command, arguments->model);
    addPromptOptions(command, arguments->prompt);
    addBlocksOption(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    addAdapterOption(command, arguments->run);
    command.add_option("--threshold", arguments->threshold, "Least weight of an edge")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    auto* const key =
        command.add_option("--key", arguments->key, "Only edges on a way from this token, counted from 0 …")
            ->type_name("K");
    auto* const query =
        command.add_option("--query", arguments->query, "… to this one, at the top")->type_name("Q");
    key->needs(query);
    query->needs(key);
    command.add_flag(
        "--rollout", arguments->hasRollout,
        "Also attention rollout: heads averaged, mixed half and half with the residual stream, and "
        "multiplied over the layers");
    command.add_option("--json", arguments->json, "Where the JSON goes; - (default) is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
