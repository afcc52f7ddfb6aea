#include "commands.h"

#include "base/failure.h"
#include "engine/circuit.h"
#include "output.h"
#include "token_output.h"
#include "words.h"
#include "workspace.h"

#include <cmath>
#include <memory>

namespace hs {
namespace {

struct Arguments {
    ModelArguments model;
    std::string clean;
    std::string corrupt;
    bool withoutBos = false;
    RunArguments run;
    std::string target;
    std::optional<std::string> versus;
    double level = 0.9;
    std::string units = "heads";
    std::string json;
};

Json toJson(const Circuit& circuit, const CircuitRequest& request, const Workspace& workspace)
{
    Json units = Json::array();
    for (const CircuitUnit& unit : circuit.units)
        units.push_back({{"layer", unit.head.layer}, {"head", unit.head.head}, {"effect", unit.effect}});
    Json curve = Json::array();
    for (const CircuitPoint& point : circuit.curve)
        curve.push_back({point.kept, point.effect});
    const Tokenizer* const tokenizer = workspace.tokenizer.get();
    return {{"model", workspace.model->facts().name},
            {"clean", tokenList(request.clean.tokens, tokenizer)},
            {"corrupted", tokenList(request.corrupted.tokens, tokenizer)},
            {"target", tokenJson(request.target, tokenizer)},
            {"versus", request.versus ? tokenJson(*request.versus, tokenizer) : Json(nullptr)},
            {"unit", "heads"},
            {"units", std::move(units)},
            {"curve", std::move(curve)},
            {"level", circuit.level},
            {"smallest", circuit.smallest},
            {"baseline",
             {{"clean", circuit.clean},
              {"corrupted", circuit.corrupted},
              {"none_kept", circuit.none},
              {"definition",
               "explained effect of n = (metric with the best n units kept and all others taken from the "
               "corrupted run - none_kept) / (clean - none_kept); effect of one unit = (metric of the "
               "corrupted run with its clean output - corrupted) / (clean - corrupted)"}}}};
}

void warnOfOtherEnd(const Circuit& circuit)
{
    const double whole = std::abs(circuit.clean - circuit.corrupted);
    if (std::abs(circuit.none - circuit.corrupted) > 1e-3 * whole)
        say("The prompts end in different tokens, so a part of their difference passes by the heads and the "
            "explained effect counts only the rest; let both end in the same token to count all of it.");
}

void run(const Arguments& arguments)
{
    if (arguments.units != "heads")
        fail(ErrorCode::Unsupported, "Circuits of edges are not there yet; use --units heads.");
    const Workspace workspace = openWorkspace(arguments.model);
    const auto requestFor = [&](const std::string& text) {
        PromptArguments prompt;
        prompt.text = text;
        prompt.withoutBos = arguments.withoutBos;
        return makeRequest(workspace, prompt, arguments.run);
    };
    CircuitRequest request;
    request.clean = requestFor(arguments.clean);
    request.corrupted = requestFor(arguments.corrupt);
    request.target = wantedToken(workspace, arguments.target);
    if (arguments.versus)
        request.versus = wantedToken(workspace, *arguments.versus);
    request.level = arguments.level;
    Engine engine;
    ProgressLine progress("Run");
    const Circuit circuit = orThrow(findCircuit(engine, request, {progress.callback(), interruptToken()}));
    warnOfOtherEnd(circuit);
    writeOutput(arguments.json, toJson(circuit, request, workspace));
}

}  // namespace

void addCircuitCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App& command = *app.add_subcommand(
        "circuit", "The heads that carry the difference between two prompts, and how few explain it");
    addModelOptions(command, arguments->model);
    command.add_option("--clean", arguments->clean, "The prompt that is answered with the target")
        ->required()
        ->type_name("S");
    command
        .add_option("--corrupt", arguments->corrupt,
                    "A prompt of as many tokens, without what the answer hangs on")
        ->required()
        ->type_name("S");
    command.add_flag("--no-bos", arguments->withoutBos, "Leave out the token that starts a text");
    addRunOptions(command, arguments->run);
    addTargetOptions(command, arguments->target, arguments->versus);
    command.get_option("--versus")->required();
    command.add_option("--level", arguments->level, "Explained effect that `smallest` reaches")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--units", arguments->units, "What is ranked: heads")
        ->check(CLI::IsMember({"heads", "edges"}))
        ->capture_default_str();
    command.add_option("--json", arguments->json, "Where the JSON goes; - (default) is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs
