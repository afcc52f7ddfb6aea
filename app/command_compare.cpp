#include "commands.h"

#include "analysis/model_summary.h"
#include "analysis/pattern_distance.h"
#include "base/failure.h"
#include "engine/engine.h"
#include "output.h"
#include "token_output.h"
#include "words.h"
#include "workspace.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

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

struct SideResult {
    Workspace workspace;
    RunResult run;
};

SideResult runSide(const std::string& model, const Arguments& arguments)
{
    SideResult side;
    side.workspace = openWorkspace({model, arguments.place.device, arguments.place.dtype});
    RunRequest request = makeRequest(side.workspace, arguments.prompt, arguments.run);
    request.capture.threshold = arguments.threshold;
    request.capture.fullMaps = true;
    Engine engine;
    ProgressLine progress("Layer");
    side.run = orThrow(engine.run(request, {progress.callback(), interruptToken()}));
    return side;
}

Json toJson(const SideResult& side)
{
    const ModelSummary summary = summarize(side.run.stats);
    return {{"model", side.workspace.model->facts().name},
            {"heads", summary.heads},
            {"diagonal_dominant_share", numberOrNull(summary.diagonalDominance)},
            {"mean_peak", numberOrNull(summary.meanPeak)},
            {"diagonal_intensity", numberOrNull(summary.diagonalIntensity)},
            {"active_edges", numberOrNull(summary.activeEdges)},
            {"off_diagonal_above_half", summary.offDiagonalAboveHalf},
            {"heads_retained", summary.headsRetained},
            {"loss", side.run.loss ? Json(*side.run.loss) : Json(nullptr)}};
}

Json headJson(const HeadStats& stats)
{
    return {{"peak", numberOrNull(stats.peak)},
            {"diagonal", numberOrNull(stats.currentToken)},
            {"density", numberOrNull(stats.density)},
            {"off_diagonal_above_half", stats.offDiagonalAboveHalf},
            {"retained", stats.densityAbove > 0}};
}

/// The same head in both models, for every head that both have, what changed most first.
Json pairsOf(const SideResult& dense, const SideResult& sparse)
{
    const int length = static_cast<int>(dense.run.tokens.size());
    std::vector<std::pair<double, Json>> pairs;
    for (int index = 0; index < dense.run.heads.total(); ++index) {
        const HeadId head = dense.run.heads.at(index);
        if (!sparse.run.heads.contains(head))
            continue;
        const PatternDistance distance =
            patternDistance(dense.run.mapOf(head), sparse.run.mapOf(head), length);
        pairs.emplace_back(distance.totalVariation, Json{{"layer", head.layer},
                                                         {"head", head.head},
                                                         {"name", toString(head)},
                                                         {"dense", headJson(dense.run.statsOf(head))},
                                                         {"sparse", headJson(sparse.run.statsOf(head))},
                                                         {"total_variation", distance.totalVariation},
                                                         {"jensen_shannon", distance.jensenShannon}});
    }
    std::ranges::stable_sort(pairs, std::ranges::greater(), &std::pair<double, Json>::first);
    Json sorted = Json::array();
    for (auto& [distance, pair] : pairs)
        sorted.push_back(std::move(pair));
    return sorted;
}

void run(const Arguments& arguments)
{
    const SideResult dense = runSide(arguments.dense, arguments);
    const SideResult sparse = runSide(arguments.sparse, arguments);
    Json result = {{"dense", toJson(dense)}, {"sparse", toJson(sparse)}};
    const ModelSummary before = summarize(dense.run.stats);
    const ModelSummary after = summarize(sparse.run.stats);
    result["reduction"] = {
        {"diagonal_intensity", numberOrNull(reduction(before.diagonalIntensity, after.diagonalIntensity))},
        {"active_edges", numberOrNull(reduction(before.activeEdges, after.activeEdges))}};
    result["threshold"] = arguments.threshold;
    result["tokens"] = tokenList(dense.run.tokens, dense.workspace.tokenizer.get());
    const bool isComparable = dense.run.tokens == sparse.run.tokens;
    if (!isComparable)
        say("The models cut the prompt into different tokens, so heads are not compared pair by pair.");
    result["heads"] = isComparable ? pairsOf(dense, sparse) : Json::array();
    writeOutput(arguments.json, result);
}

}  // namespace

void addCompareCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App& command = *app.add_subcommand("compare", "What tells two models' heads apart on one prompt");
    arguments->dense = "demo:dense";
    arguments->sparse = "demo:sparse";
    addPairModelOptions(command, arguments->dense, arguments->sparse);
    command.add_option("--device", arguments->place.device, "auto, cpu, cuda or cuda:N")
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
