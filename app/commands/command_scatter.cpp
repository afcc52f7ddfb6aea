#include "app/support/commands.h"

#include "analyses/analysis_json.h"
#include "analyses/map_analyses.h"
#include "app/support/maps_side.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/token_output.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "service/maps_backend.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace hs::app {
namespace {

constexpr std::size_t kHeadsUnasked = 64;  // more make too many pairs to read

struct ScatterArguments {
    engine::ModelArguments model;
    PromptArguments prompt;
    RunArguments run;
    std::string heads;
    bool hasWeights = false;
    std::string json;
};

/// The heads that look anywhere, in the model's order; if there are many, those with the highest peaks.
std::vector<HeadId> activeHeads(const engine::RunResult& run)
{
    std::vector<HeadId> heads;
    for (int index = 0; index < run.heads.total(); ++index)
        if (run.stats[static_cast<std::size_t>(index)].peak > 0)
            heads.push_back(run.heads.at(index));
    if (heads.size() < 2)
        fail(ErrorCode::BadRequest,
             "Fewer than two heads have any weight on this prompt; name some with --heads, or use another.");
    if (heads.size() <= kHeadsUnasked)
        return heads;
    say("Of " + std::to_string(heads.size()) + " heads the " + std::to_string(kHeadsUnasked) +
        " with the highest peaks are compared; name others with --heads.");
    std::ranges::stable_sort(heads, std::ranges::greater(),
                             [&](HeadId head) { return run.statsOf(head).peak; });
    heads.resize(kHeadsUnasked);
    std::ranges::sort(heads);
    return heads;
}

/// All pairs of heads, the most alike first, those without a correlation last.
Json pairList(const stats::HeadScatter& scatter)
{
    struct Pair {
        std::size_t first;
        std::size_t second;
        double correlation;
    };
    std::vector<Pair> pairs;
    for (std::size_t first = 0; first < scatter.heads.size(); ++first)
        for (std::size_t second = first + 1; second < scatter.heads.size(); ++second)
            pairs.push_back({first, second, scatter.correlation(first, second)});
    std::ranges::stable_sort(pairs, std::ranges::greater(), [](const Pair& pair) {
        return std::isnan(pair.correlation) ? -2 : pair.correlation;
    });
    Json rows = Json::array();
    for (const Pair& pair : pairs)
        rows.push_back({{"first", toString(scatter.heads[pair.first])},
                        {"second", toString(scatter.heads[pair.second])},
                        {"correlation", numberOrNull(pair.correlation)}});
    return rows;
}

/// The names of heads that share a cluster, the largest cluster first; none that is alone.
Json groupList(const stats::HeadScatter& scatter)
{
    std::vector<std::vector<std::string>> groups(scatter.heads.size());
    for (std::size_t index = 0; index < scatter.heads.size(); ++index)
        groups[static_cast<std::size_t>(scatter.clusters[index])].push_back(toString(scatter.heads[index]));
    std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
    return groups;
}

Json toJson(stats::HeadScatter scatter, const ScatterArguments& arguments)
{
    if (!arguments.hasWeights)
        scatter.weights.clear();  // there may be millions
    Json json = analyses::toJson(scatter);
    if (!arguments.hasWeights)
        json.erase("weights");
    json["pairs"] = pairList(scatter);
    json["groups"] = groupList(scatter);
    return json;
}

void runOnMaps(const service::SideRequest& side, const ScatterArguments& arguments)
{
    const maps::Block& block = *side.model->maps;
    ProgressLine progress("Layer");
    const Hooks hooks{progress.callback(), interruptToken()};
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::Scatter;
    request.side = side;
    request.heads = arguments.heads.empty()
                        ? activeHeads(service::summarizeMaps(block, /*tileSide=*/1, 0, {{}, hooks.stop}))
                        : namedHeads(arguments.heads, side.model->heads);
    Json json = toJson(std::get<stats::HeadScatter>(analyseMaps(request, hooks)), arguments);
    addTokens(json, *side.model);
    writeOutput(arguments.json, json);
}

void run(const ScatterArguments& arguments)
{
    requireWritable(arguments.json);
    if (const auto maps = openMaps(arguments.model.model, arguments.prompt, arguments.run))
        return runOnMaps(*maps, arguments);
    const engine::Workspace workspace = openWorkspace(arguments.model);
    const engine::RunRequest request = makeRequest(workspace, arguments.prompt, arguments.run);
    engine::Engine engine;
    ProgressLine progress("Layer");
    const Hooks hooks{progress.callback(), interruptToken()};
    const std::vector<HeadId> heads = arguments.heads.empty()
                                          ? activeHeads(orThrow(engine.run(request, {{}, hooks.stop})))
                                          : namedHeads(arguments.heads, workspace.model->spec().headShape());
    Json json = toJson(orThrow(analyses::scatterHeads(engine, request, heads, hooks)), arguments);
    json["model"] = workspace.model->facts().name;
    json["tokens"] = tokenList(request.tokens, workspace.tokenizer.get());
    writeOutput(arguments.json, json);
}

}  // namespace

void addScatterCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<ScatterArguments>();
    CLI::App& command =
        *app.add_subcommand("scatter", "Which heads look alike: correlations of their weights, and groups");
    addModelOptions(command, arguments->model);
    addPromptOptions(command, arguments->prompt);
    addBlocksOption(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    addAdapterOption(command, arguments->run);
    command
        .add_option("--heads", arguments->heads,
                    "Which: L0H0,L0H2,L4H*; by default all that look anywhere, 64 at most")
        ->type_name("HEADS");
    command.add_flag("--weights", arguments->hasWeights,
                     "Their weights over all cells that queries see, too");
    command.add_option("--json", arguments->json, "Where the JSON goes; - (default) is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
