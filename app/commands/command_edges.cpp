#include "app/support/commands.h"

#include "app/support/maps_side.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/token_output.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "engine/run/engine.h"
#include "service/maps_backend.h"

#include <algorithm>
#include <memory>

namespace hs::app {
namespace {

struct EdgesArguments {
    engine::ModelArguments model;
    PromptArguments prompt;
    RunArguments run;
    int key = 0;
    int query = 0;
    bool isOneBased = false;
    double least = 0.1;
    std::string json;
};

struct FoundEdge {
    HeadId head;
    float weight = 0;
};

std::vector<FoundEdge> edgesFrom(const std::vector<float>& cells, const HeadShape& shape, double least)
{
    std::vector<FoundEdge> edges;
    for (int index = 0; index < shape.total(); ++index)
        if (cells[index] >= static_cast<float>(least) && cells[index] > 0)
            edges.push_back({shape.at(index), cells[index]});
    std::ranges::stable_sort(edges, std::ranges::greater(), &FoundEdge::weight);
    return edges;
}

Json headList(const std::vector<float>& cells, const HeadShape& shape, const EdgesArguments& arguments)
{
    Json heads = Json::array();
    for (const FoundEdge& edge : edgesFrom(cells, shape, arguments.least))
        heads.push_back({{"layer", edge.head.layer},
                         {"head", edge.head.head},
                         {"name", toString(edge.head)},
                         {"weight", edge.weight}});
    return heads;
}

void runOnMaps(const service::SideRequest& side, const EdgesArguments& arguments)
{
    const int base = arguments.isOneBased ? 1 : 0;
    const maps::Block::Facts& facts = side.model->maps->facts();
    const int key = arguments.key - base;
    const int query = arguments.query - base;
    if (!facts.pattern.contains(query, key))
        fail(ErrorCode::BadRequest, "Query " + std::to_string(arguments.query) + " does not see a key " +
                                        std::to_string(arguments.key) + " in these maps of " +
                                        std::to_string(facts.pattern.queries) + " queries and " +
                                        std::to_string(facts.pattern.keys) + " keys; choose others.");
    const std::vector<float> cells =
        orThrow(service::MapsBackend().cellWeights(Side::Left, side, query, key, {{}, interruptToken()}));
    const auto textAt = [](const std::vector<std::string>& texts, int index) {
        return Json{{"text", texts[static_cast<std::size_t>(index)]}};
    };
    writeOutput(arguments.json, Json{{"model", side.model->title},
                                     {"key", arguments.key},
                                     {"key_token", textAt(side.model->maps->tokensOfKeys(), key)},
                                     {"query", arguments.query},
                                     {"query_token", textAt(facts.queryTokens, query)},
                                     {"one_based", arguments.isOneBased},
                                     {"min", arguments.least},
                                     {"heads", headList(cells, facts.heads, arguments)}});
}

void run(const EdgesArguments& arguments)
{
    if (const auto maps = openMaps(arguments.model.model, arguments.prompt, arguments.run))
        return runOnMaps(*maps, arguments);
    const int base = arguments.isOneBased ? 1 : 0;
    const engine::Workspace workspace = openWorkspace(arguments.model);
    const TypedRun typed = makeRun(workspace, arguments.prompt, arguments.run);
    const int key = arguments.key - base;
    const int query = arguments.query - base;
    if (key > query)
        fail(ErrorCode::BadRequest, "Key " + std::to_string(arguments.key) + " comes after query " +
                                        std::to_string(arguments.query) +
                                        ", and no token sees later ones; swap --key and --query.");
    const auto placeJson = [&](int place) {
        return typed.request.fold() ? blockJson(typed.blocks, place)
                                    : tokenJson(typed.request.tokens[place], workspace.tokenizer.get());
    };
    engine::Engine engine;
    ProgressLine progress("Layer");
    const std::vector<float> cells =
        orThrow(engine.cellWeights(typed.request, query, key, {progress.callback(), interruptToken()}));
    writeOutput(arguments.json,
                Json{{"model", workspace.model->facts().name},
                     {"key", arguments.key},
                     {"key_token", placeJson(key)},
                     {"query", arguments.query},
                     {"query_token", placeJson(query)},
                     {"one_based", arguments.isOneBased},
                     {"min", arguments.least},
                     {"heads", headList(cells, workspace.model->spec().headShape(), arguments)}});
}

}  // namespace

void addEdgesCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<EdgesArguments>();
    CLI::App& command = *app.add_subcommand("edges", "All heads that map one key to one query");
    addModelOptions(command, arguments->model);
    addPromptOptions(command, arguments->prompt);
    addBlocksOption(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    addAdapterOption(command, arguments->run);
    command.add_option("--key", arguments->key, "Position of the token or block that is looked at, from 0")
        ->required()
        ->type_name("K");
    command.add_option("--query", arguments->query, "Position of the token or block that looks, from 0")
        ->required()
        ->type_name("Q");
    command.add_flag("--one-based", arguments->isOneBased, "Positions count from 1, as papers do");
    command.add_option("--min", arguments->least, "Least weight")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--json", arguments->json, "Where the JSON goes; - (default) is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
