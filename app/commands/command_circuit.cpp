#include "app/support/commands.h"

#include "analyses/analysis_json.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/pair_search.h"
#include "app/support/part_file.h"
#include "base/failure.h"
#include "base/text_format.h"

#include <memory>

namespace hs::app {
namespace {

struct CircuitArguments {
    ModelChoice models;
    text::SetPrompt pair;
    std::string corrupted;
    std::string versus;
    std::string pairs;
    std::string shard = "1/1";
    CircuitOptions options;
    std::string json;
};

Json circuitJson(const analyses::Circuit& circuit, const analyses::CircuitRequest& request,
                 const engine::Workspace& workspace)
{
    Json json = toJson(circuit);
    json["model"] = workspace.model->facts().name;
    json.update(promptsOf(request, workspace.tokenizer.get()));
    return json;
}

/// One pair of prompts, given on the command line.
Json searchPair(std::vector<CircuitModel>& models, const CircuitArguments& arguments)
{
    std::vector<analyses::CircuitRequest> requests;
    text::SetPrompt pair = arguments.pair;
    pair.source = arguments.corrupted;
    pair.versus = arguments.versus;
    for (CircuitModel& model : models)
        requests.push_back(circuitRequest(model, pair, arguments.options));
    ProgressLine progress("Run");
    const Hooks hooks{progress.callback(), interruptToken()};
    std::vector<analyses::Circuit> circuits;
    for (std::size_t model = 0; model < models.size(); ++model)
        circuits.push_back(orThrow(analyses::findCircuit(*models[model].engine, requests[model], hooks)));
    if (endsApart(circuits.front()))
        say("The prompts end in different tokens, so a part of their difference passes by the heads and the "
            "explained effect counts only the rest; let both end in the same token to count all of it.");
    for (const analyses::Circuit& circuit : circuits)
        if (circuit.check)
            say("Of " + std::to_string(circuit.check->sampled) +
                " paths that were also patched, estimates are at most " +
                shortNumber(circuit.check->largestError) + " from their effects; their ranks correlate by " +
                shortNumber(circuit.check->rankCorrelation) + ".");
    const auto jsonOf = [&](std::size_t model) {
        return circuitJson(circuits[model], requests[model], models[model].workspace);
    };
    if (models.size() == 1)
        return jsonOf(0);
    Json json = {{"dense", jsonOf(0)}, {"sparse", jsonOf(1)}};
    if (arguments.options.units == analyses::CircuitUnits::Paths)
        return json;
    json["factor"] = factorOf(circuits[0].smallest, circuits[1].smallest);
    if (arguments.options.isRefined)
        json["refined_factor"] = factorOf(static_cast<double>(circuits[0].refined.size()),
                                          static_cast<double>(circuits[1].refined.size()));
    return json;
}

void requirePathOptions(const CircuitArguments& arguments)
{
    if (!arguments.pairs.empty())
        fail(ErrorCode::BadRequest,
             "Paths are searched on one pair of prompts; give --clean, --corrupt, --target and --versus, or "
             "search the pairs for heads or edges.");
    if (arguments.options.isRefined)
        fail(ErrorCode::BadRequest,
             "Paths are ranked one by one and make no smallest circuit that could be refined; leave out "
             "--refine, or search for heads or edges.");
}

void run(const CircuitArguments& arguments)
{
    const Shard shard = parseShard(arguments.shard);
    if (arguments.pairs.empty() && arguments.pair.text.empty())
        fail(ErrorCode::BadRequest,
             "There are no prompts; give --clean, --corrupt, --target and --versus, or a "
             "file of them with --pairs.");
    if (arguments.options.units == analyses::CircuitUnits::Paths)
        requirePathOptions(arguments);
    requireWritable(arguments.json);
    std::vector<CircuitModel> models;
    for (const engine::ModelArguments& model : arguments.models.all())
        models.push_back({openWorkspace(model)});
    if (arguments.pairs.empty()) {
        writeOutput(arguments.json, searchPair(models, arguments));
        return;
    }
    const PairSearch search = searchPairs(models, arguments.pairs, shard, arguments.options);
    const std::size_t done = search.tables.front().pairs.size();
    if (search.isStopped && done == 0)
        fail(ErrorCode::Cancelled, "Stopped before the first pair was done; nothing was written.");
    if (!search.isStopped)
        return writeSet(search.tables, {arguments.json, {}, {}});
    writeTable(search.tables, {arguments.json, {}, {}});
    fail(ErrorCode::Cancelled, "Stopped after " + std::to_string(done) +
                                   " pairs, whose results were written; run it again for all.");
}

void addPairOptions(CLI::App& command, CircuitArguments& arguments)
{
    auto* const clean =
        command.add_option("--clean", arguments.pair.text, "The prompt that is answered with the target")
            ->type_name("S");
    auto* const corrupt = command
                              .add_option("--corrupt", arguments.corrupted,
                                          "A prompt of as many tokens, without what the answer hangs on")
                              ->type_name("S");
    auto* const target = command
                             .add_option("--target", arguments.pair.target,
                                         "One token: its text, or its id where there is no tokenizer")
                             ->type_name("T");
    auto* const versus =
        command
            .add_option("--versus", arguments.versus, "A token whose logit is subtracted from the target's")
            ->type_name("U");
    clean->needs(corrupt)->needs(target)->needs(versus);
    corrupt->needs(clean);
    target->needs(clean);
    versus->needs(clean);
    auto* const pairs = command
                            .add_option("--pairs", arguments.pairs,
                                        "Many pairs, as JSON lines or CSV with \"clean\", \"corrupted\", "
                                        "\"target\" and \"versus\", or "
                                        "task:NAME:COUNT: a circuit for each, and means over all of them")
                            ->type_name("F")
                            ->excludes(clean);
    addShardOption(command, arguments.shard, *pairs);
    command.add_flag("--no-bos", arguments.options.withoutBos, "Leave out the token that starts a text");
}

}  // namespace

void addCircuitCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<CircuitArguments>();
    CircuitOptions& options = arguments->options;
    CLI::App& command = *app.add_subcommand(
        "circuit",
        "The heads, cells of them or paths between them that carry the difference between two prompts, "
        "and how few explain it");
    addModelChoice(command, arguments->models);
    addPairOptions(command, *arguments);
    addRunOptions(command, options.run);
    addAdapterOption(command, options.run);
    command.add_option("--level", options.level, "Explained effect that `smallest` reaches")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    addWordOption(
        command, "--units", options.units,
        "What is ranked: heads, heads+mlps, edges (single cells of heads' patterns), or paths (from a head "
        "to the query, key or value of a later one, or to the logits)");
    addWordOption(command, "--rank", options.ranking,
                  "By what each clean unit restores in the corrupted run, by what each corrupted one removes "
                  "from the clean run, or by the gradient's estimate of the first, for paths with integrated "
                  "gradients");
    command.add_flag("--refine", options.isRefined,
                     "Leave out of the smallest circuit what it reaches the level without");
    command.add_option("--json", arguments->json, "Where the JSON goes; - (default) is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
