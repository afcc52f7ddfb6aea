#include "app/support/commands.h"

#include "analyses/analysis_json.h"
#include "analyses/map_analyses.h"
#include "app/report/report_command.h"
#include "app/support/arguments.h"
#include "app/support/generation.h"
#include "app/support/maps_side.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/set_command.h"
#include "app/support/token_output.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "maps/maps_file.h"
#include "service/any_backend.h"
#include "text/token_match.h"

#include <memory>

namespace hs::app {
namespace {

struct CompareArguments {
    engine::ModelArguments place;  // device and type of both
    std::string dense;
    std::string sparse;
    PromptArguments prompt;
    RunArguments run;
    OtherSide other;
    double threshold = engine::Capture().threshold;
    GenerationArguments generation;
    SetArguments set;
    std::string csv;
    std::string json;
    ReportArguments report;
};

/// One model of the pair and what it runs.
struct ComparedModel {
    engine::Workspace workspace;
    TypedRun run;
    engine::Engine engine;
};

void prepare(ComparedModel& panel, const std::string& model, const CompareArguments& arguments,
             const OtherSide& other = {})
{
    panel.workspace = openWorkspace({model, arguments.place.device, arguments.place.dtype});
    panel.run = makeRun(panel.workspace, other.promptOver(arguments.prompt), other.runOver(arguments.run));
    panel.run.request.capture.threshold = arguments.threshold;
}

/// By their texts, where there is a tokenizer.
stats::TokenPairs matchingTokens(const ComparedModel& dense, const ComparedModel& sparse)
{
    const auto pairs = text::pairsOf(dense.run.places(), sparse.run.places());
    return {pairs, pairs};
}

Json summaryJson(const stats::ModelSummary& summary, const std::string& model, std::optional<double> loss)
{
    Json json = analyses::toJson(summary);
    json["model"] = model;
    json["loss"] = loss ? numberOrNull(*loss) : Json(nullptr);
    return json;
}

Json headJson(const stats::HeadStats& stats)
{
    return {{"peak", numberOrNull(stats.peak)},
            {"diagonal", numberOrNull(stats.currentToken)},
            {"density", numberOrNull(stats.density)},
            {"off_diagonal_above_half", stats.offDiagonalAboveHalf},
            {"retained", stats.densityAbove > 0}};
}

Json pairList(const std::vector<analyses::HeadPair>& pairs)
{
    Json rows = Json::array();
    for (const analyses::HeadPair& pair : pairs)
        rows.push_back({{"layer", pair.head.layer},
                        {"head", pair.head.head},
                        {"name", toString(pair.head)},
                        {"dense", headJson(pair.first)},
                        {"sparse", headJson(pair.second)},
                        {"total_variation", numberOrNull(pair.distance.totalVariation)},
                        {"jensen_shannon", numberOrNull(pair.distance.jensenShannon)}});
    return rows;
}

Json reductionJson(const analyses::Comparison& comparison)
{
    const auto reduced = [&](double stats::ModelSummary::* value) {
        return numberOrNull(stats::reduction(comparison.first.*value, comparison.second.*value));
    };
    return {{"diagonal_intensity", reduced(&stats::ModelSummary::diagonalIntensity)},
            {"active_edges", reduced(&stats::ModelSummary::activeEdges)}};
}

/// What both models write after the prompt, where they part, and which heads speak differently there.
Json continuationsJson(ComparedModel& dense, ComparedModel& sparse, const CompareArguments& arguments)
{
    GenerationArguments generation = arguments.generation;
    generation.seed = arguments.report.options.seed;
    const auto write = [&](const ComparedModel& panel, const std::string& name) {
        return writeOn(panel.workspace, name, panel.run.request, generation);
    };
    const WrittenText first = write(dense, arguments.dense);
    const WrittenText second = write(sparse, arguments.sparse);
    const text::Tokenizer* const tokenizer = dense.workspace.tokenizer.get();
    Json json = {{"dense", toJson(first, tokenizer)},
                 {"sparse", toJson(second, sparse.workspace.tokenizer.get())},
                 {"parting", nullptr}};
    const std::optional<int> step = analyses::partingStep(first.generation, second.generation);
    if (!step || dense.run.request.tokens != sparse.run.request.tokens)
        return json;
    const std::vector<std::int64_t> common = first.tokens();
    const auto upToParting = [&](const ComparedModel& panel) {
        engine::RunRequest run = panel.run.request;
        run.spans = {};
        run.tokens.insert(run.tokens.end(), common.begin(), common.begin() + *step);
        if (*step < arguments.generation.ablateFrom)
            run.ablations.clear();
        return run;
    };
    ProgressLine progress("Layer");
    Json heads = Json::array();
    const engine::RunRequest here = upToParting(dense), there = upToParting(sparse);
    for (const analyses::PartingHead& each : orThrow(analyses::headsAtParting(
             {dense.engine, here, first.tokens()[*step]}, {sparse.engine, there, second.tokens()[*step]},
             {progress.callback(), interruptToken()})))
        heads.push_back({{"layer", each.head.layer},
                         {"head", each.head.head},
                         {"name", toString(each.head)},
                         {"dense", each.first},
                         {"sparse", each.second},
                         {"total_variation", numberOrNull(each.distance.totalVariation)},
                         {"jensen_shannon", numberOrNull(each.distance.jensenShannon)}});
    json["parting"] = {{"step", *step},
                       {"query", dense.run.request.tokens.size() + static_cast<std::size_t>(*step) - 1},
                       {"dense", tokenJson(first.tokens()[*step], tokenizer)},
                       {"sparse", tokenJson(second.tokens()[*step], sparse.workspace.tokenizer.get())},
                       {"heads", std::move(heads)}};
    return json;
}

void requireOneSide(const CompareArguments& arguments, const std::string& what)
{
    if (arguments.other.isGiven())
        fail(ErrorCode::BadRequest, "Both models read the same in " + what +
                                        "; leave out --sparse-text, --sparse-ablate and --sparse-adapter.");
}

/// Where at least one of the two comes from a file of maps.
void compareMaps(const CompareArguments& arguments)
{
    if (arguments.generation.count > 0)
        fail(ErrorCode::BadRequest, "Maps from a file cannot go on; leave out --generate.");
    const double usual = engine::Capture().threshold;
    if (arguments.threshold != usual)
        fail(ErrorCode::BadRequest,
             "Maps from a file are compared with the usual threshold; leave out --threshold.");
    service::AnyBackend backend;
    const auto open = [&](const std::string& model, const OtherSide& other = {}) {
        return openSide(backend, {model, arguments.place.device, arguments.place.dtype},
                        other.promptOver(arguments.prompt), other.runOver(arguments.run));
    };
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::Compare;
    request.side = open(arguments.dense);
    request.other = open(arguments.sparse, arguments.other);
    ProgressLine progress("Layer");
    const auto comparison = std::get<analyses::Comparison>(
        orThrow(backend.analyse(request, {progress.callback(), interruptToken()}, {})));
    if (comparison.pairs.empty())
        say("The two have different tokens or heads, so heads are not compared pair by pair.");
    Json json = {{"dense", summaryJson(comparison.first, request.side.model->title, {})},
                 {"sparse", summaryJson(comparison.second, request.other->model->title, {})},
                 {"reduction", reductionJson(comparison)},
                 {"threshold", usual},
                 {"layers", analyses::layersJson(comparison)},
                 {"heads", pairList(comparison.pairs)}};
    writeOutput(arguments.json, json);
}

void compareSet(const CompareArguments& arguments)
{
    requireOneSide(arguments, "a set of prompts");
    const auto open = [&](const std::string& model) {
        return openWorkspace({model, arguments.place.device, arguments.place.dtype});
    };
    const engine::Workspace dense = open(arguments.dense);
    const engine::Workspace sparse = open(arguments.sparse);
    engine::Capture capture;
    capture.topK = 1;
    capture.threshold = arguments.threshold;
    runSetTask({analyses::SetStudyKind::Comparison,
                {&dense, &sparse},
                arguments.set,
                arguments.prompt.withoutBos,
                arguments.run,
                capture,
                {{"command", "compare"},
                 {"dense", dense.model->facts().name},
                 {"sparse", sparse.model->facts().name},
                 {"threshold", arguments.threshold}},
                {arguments.csv.empty() && arguments.json.empty() ? "-" : arguments.json, arguments.csv, {}}});
}

void report(const CompareArguments& arguments)
{
    requireOneSide(arguments, "a report");
    if (!arguments.prompt.blocks.empty())
        fail(ErrorCode::BadRequest, "A report is of tokens; leave out --blocks.");
    ReportArguments given = arguments.report;
    given.options.dense = given.options.sparse = arguments.place;
    given.options.dense.model = arguments.dense;
    given.options.sparse.model = arguments.sparse;
    given.options.text = arguments.prompt;
    given.options.run = arguments.run;
    runReport(std::move(given), arguments.json);
}

void run(const CompareArguments& arguments)
{
    if (arguments.report.isWanted)
        return report(arguments);
    requireWritable(arguments.json);
    const bool areMaps = maps::mapsSource(arguments.dense) || maps::mapsSource(arguments.sparse);
    if (areMaps && !arguments.set.prompts.empty())
        fail(ErrorCode::BadRequest, "Maps from a file bring their own tokens; leave out --prompts.");
    if (areMaps)
        return compareMaps(arguments);
    if (!arguments.set.prompts.empty())
        return compareSet(arguments);
    ComparedModel dense, sparse;
    prepare(dense, arguments.dense, arguments);
    prepare(sparse, arguments.sparse, arguments, arguments.other);
    if (const HeadShape shape = sparse.run.request.model->spec().headShape();
        !dense.run.request.model->spec().headShape().hasSameHeads(shape))
        say("The models have different numbers of layers or heads, so heads are not compared pair by pair.");
    ProgressLine progress("Layer");
    const Hooks hooks{progress.callback(), interruptToken()};
    const analyses::Comparison comparison =
        orThrow(analyses::compareRuns(dense.engine, dense.run.request, sparse.engine, sparse.run.request,
                                      matchingTokens(dense, sparse), hooks));
    const auto lossOf = [&](ComparedModel& panel) {  // the engine still has the run
        return orThrow(panel.engine.run(panel.run.request, {{}, hooks.stop})).loss;
    };
    Json json = {
        {"dense", summaryJson(comparison.first, dense.workspace.model->facts().name, lossOf(dense))},
        {"sparse", summaryJson(comparison.second, sparse.workspace.model->facts().name, lossOf(sparse))},
        {"reduction", reductionJson(comparison)},
        {"threshold", arguments.threshold},
        {"tokens", tokenList(dense.run.request.tokens, dense.workspace.tokenizer.get())},
        {"layers", analyses::layersJson(comparison)},
        {"heads", pairList(comparison.pairs)}};
    if (dense.run.request.fold())
        json["blocks"] = blockList(dense.run.blocks);
    if (dense.run.request.tokens != sparse.run.request.tokens) {
        json["sparse_tokens"] = tokenList(sparse.run.request.tokens, sparse.workspace.tokenizer.get());
        json["rows"] = comparison.rows;
        say("The two have different tokens: heads are compared over the " + std::to_string(comparison.rows) +
            " that stand for each other.");
    }
    if (arguments.generation.count > 0)
        json["continuations"] = continuationsJson(dense, sparse, arguments);
    writeOutput(arguments.json, json);
}

}  // namespace

void addCompareCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<CompareArguments>();
    CLI::App& command = *app.add_subcommand(
        "compare",
        "What tells two models' heads apart on a prompt or on many, or how good a sparse model is");
    arguments->dense = "demo:dense";
    arguments->sparse = "demo:sparse";
    addPairModelOptions(command, arguments->dense, arguments->sparse);
    command.add_option("--device", arguments->place.device, kDeviceWords)->capture_default_str();
    command.add_option("--dtype", arguments->place.dtype, "auto, f32, bf16 or f16")->capture_default_str();
    addPromptOptions(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    addOtherSideOptions(command, arguments->other);
    addAdapterOption(command, arguments->run);
    addGenerationOptions(command, arguments->generation, /*withSeed=*/false);
    command.add_option("--threshold", arguments->threshold, "Weight above which a head counts as retained")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command
        .add_option("--json", arguments->json,
                    "Where the JSON goes; - (default, but for a report) is standard output")
        ->type_name("F");
    addSetOptions(command, arguments->set);
    command.add_option("--csv", arguments->csv, "Where a table of the heads goes, over many prompts")
        ->needs("--prompts")
        ->type_name("F");
    addBlocksOption(command, arguments->prompt);
    addReportOptions(command, arguments->report);
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
