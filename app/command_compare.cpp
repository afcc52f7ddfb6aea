#include "commands.h"

#include "arguments.h"
#include "base/failure.h"
#include "engine/analysis_json.h"
#include "engine/map_analyses.h"
#include "messages.h"
#include "output.h"
#include "token_output.h"
#include "workspace.h"

#include <memory>

namespace hs {
namespace {

struct Arguments {
    ModelArguments place;  // device and type of both
    std::string dense;
    std::string sparse;
    PromptArguments prompt;
    RunArguments run;
    double threshold = Capture().threshold;
    std::string json;
};

/// A model of the pair and what it runs.
struct Panel {
    Workspace workspace;
    RunRequest request;
    Engine engine;
};

void prepare(Panel& panel, const std::string& model, const Arguments& arguments)
{
    panel.workspace = openWorkspace({model, arguments.place.device, arguments.place.dtype});
    panel.request = makeRequest(panel.workspace, arguments.prompt, arguments.run);
    panel.request.capture.threshold = arguments.threshold;
}

Json summaryJson(const ModelSummary& summary, const Panel& panel, std::optional<double> loss)
{
    Json json = toJson(summary);
    json["model"] = panel.workspace.model->facts().name;
    json["loss"] = loss ? numberOrNull(*loss) : Json(nullptr);
    return json;
}

Json headJson(const HeadStats& stats)
{
    return {{"peak", numberOrNull(stats.peak)},
            {"diagonal", numberOrNull(stats.currentToken)},
            {"density", numberOrNull(stats.density)},
            {"off_diagonal_above_half", stats.offDiagonalAboveHalf},
            {"retained", stats.densityAbove > 0}};
}

Json pairList(const std::vector<HeadPair>& pairs)
{
    Json rows = Json::array();
    for (const HeadPair& pair : pairs)
        rows.push_back({{"layer", pair.head.layer},
                        {"head", pair.head.head},
                        {"name", toString(pair.head)},
                        {"dense", headJson(pair.first)},
                        {"sparse", headJson(pair.second)},
                        {"total_variation", numberOrNull(pair.distance.totalVariation)},
                        {"jensen_shannon", numberOrNull(pair.distance.jensenShannon)}});
    return rows;
}

void run(const Arguments& arguments)
{
    requireWritable(arguments.json);
    Panel dense, sparse;
    prepare(dense, arguments.dense, arguments);
    prepare(sparse, arguments.sparse, arguments);
    if (dense.request.tokens != sparse.request.tokens)
        say("The models cut the prompt into different tokens, so heads are not compared pair by pair.");
    ProgressLine progress("Layer");
    const Hooks hooks{progress.callback(), interruptToken()};
    const Comparison comparison =
        orThrow(compareRuns(dense.engine, dense.request, sparse.engine, sparse.request, hooks));
    const auto lossOf = [&](Panel& panel) {  // the engine still has the run
        return orThrow(panel.engine.run(panel.request, {{}, hooks.stop})).loss;
    };
    const auto reduced = [&](double ModelSummary::*value) {
        return numberOrNull(reduction(comparison.first.*value, comparison.second.*value));
    };
    writeOutput(arguments.json,
                Json{{"dense", summaryJson(comparison.first, dense, lossOf(dense))},
                     {"sparse", summaryJson(comparison.second, sparse, lossOf(sparse))},
                     {"reduction",
                      {{"diagonal_intensity", reduced(&ModelSummary::diagonalIntensity)},
                       {"active_edges", reduced(&ModelSummary::activeEdges)}}},
                     {"threshold", arguments.threshold},
                     {"tokens", tokenList(dense.request.tokens, dense.workspace.tokenizer.get())},
                     {"heads", pairList(comparison.pairs)}});
}

}  // namespace

void addCompareCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App& command = *app.add_subcommand("compare", "What tells two models' heads apart on one prompt");
    arguments->dense = "demo:dense";
    arguments->sparse = "demo:sparse";
    addPairModelOptions(command, arguments->dense, arguments->sparse);
    command.add_option("--device", arguments->place.device, kDeviceWords)
        ->capture_default_str();
    command.add_option("--dtype", arguments->place.dtype, "auto, f32, bf16 or f16")->capture_default_str();
    addPromptOptions(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    command.add_option("--threshold", arguments->threshold, "Weight above which a head counts as retained")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--json", arguments->json, "Where the JSON goes; - (default) is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs
