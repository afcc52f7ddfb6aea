#include "app/support/commands.h"

#include "app/features/graph_output.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "features/graph/place_choice.h"

#include <limits>
#include <memory>

namespace hs::app {
namespace {

struct GraphArguments {
    engine::ModelArguments model;
    PromptArguments prompt;
    RunArguments run;
    std::optional<std::string> target;
    std::optional<std::string> versus;
    std::optional<int> position;
    features::GraphOptions options;
    std::vector<std::string> headsOf;  // source and target
    double share = 0.8;
    std::string json;
};

/// The transcoders given, or those beside the model, reading where they do.
std::shared_ptr<const features::Transcoders> openCoders(const GraphArguments& arguments,
                                                        const engine::Workspace& workspace,
                                                        const engine::RunRequest& run, const Hooks& hooks)
{
    const auto coders = orThrow(
        features::openTranscoders(codersFolder(workspace, arguments.run.features), workspace.model->spec()));
    if (coders->facts().place || run.tokens.size() < 3)
        return coders;
    const features::PlaceChoice choice = orThrow(features::choosePlace(coders, {run}, hooks));
    if (!choice.isGood)
        fail(ErrorCode::Unsupported, choice.sentence);
    say(choice.sentence);
    return choice.coders;
}

void makeGraph(const GraphArguments& arguments)
{
    requireWritable(arguments.json);
    if (!arguments.run.scales.empty())
        fail(ErrorCode::BadRequest, "A graph is of the model as it is; leave out --scale, or give it to "
                                    "headscope features, which shows what it does.");
    const engine::Workspace workspace = openWorkspace(arguments.model);
    features::GraphRequest request;
    request.run = makeRequest(workspace, arguments.prompt, arguments.run);
    request.options = arguments.options;
    request.position = arguments.position.value_or(-1);
    if (arguments.target)
        request.target = wantedToken(workspace, *arguments.target);
    if (arguments.versus)
        request.versus = wantedToken(workspace, *arguments.versus);
    ProgressLine progress("Feature");
    const Hooks hooks{progress.callback(), interruptToken()};
    request.coders = openCoders(arguments, workspace, request.run, {{}, interruptToken()});
    const features::Graph graph = orThrow(features::makeGraph(request, hooks));
    const GraphOutput output(graph, request, workspace);
    if (!arguments.headsOf.empty()) {
        const features::NodeId source = output.node(arguments.headsOf[0]);
        const features::NodeId target = output.node(arguments.headsOf[1]);
        const features::EdgeHeads heads =
            orThrow(features::headsOfEdge(request, {source}, {target}, {{}, interruptToken()}));
        if (!arguments.json.empty())
            return writeOutput(arguments.json, output.headsJson(source, target, heads, arguments.share));
        return writeOutput("", output.headsTable(source, target, heads, arguments.share));
    }
    if (!arguments.json.empty())
        return writeOutput(arguments.json, output.graphJson());
    writeOutput("", output.graphTable());
}

void addShareOption(CLI::App& command, const std::string& name, double& share, const std::string& help)
{
    command.add_option(name, share, help)->check(CLI::Range(0.0, 1.0))->capture_default_str();
}

}  // namespace

void addGraphCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<GraphArguments>();
    CLI::App& command = *app.add_subcommand(
        "graph", "Which features lead to a prediction and to each other, and the heads that carry an edge");
    addModelOptions(command, arguments->model);
    addPromptOptions(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    addAdapterOption(command, arguments->run);
    CLI::Option* const target =
        command
            .add_option("--target", arguments->target,
                        "The token whose logit is explained; by default the likely ones")
            ->type_name("T");
    command.add_option("--versus", arguments->versus, "A token whose logit is subtracted from the target's")
        ->type_name("U")
        ->needs(target);
    command.add_option("--position", arguments->position, "Where it is predicted; by default the last token")
        ->check(CLI::Range(0, std::numeric_limits<int>::max()))
        ->type_name("P");
    command.add_option("--most-features", arguments->options.features, "Features that are traced, at most")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str()
        ->type_name("N");
    command.add_option("--logits", arguments->options.logits, "Tokens whose logits are explained, at most")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str()
        ->type_name("N");
    addShareOption(command, "--nodes", arguments->options.nodeShare,
                   "Share of influence that the nodes kept have");
    addShareOption(command, "--edges", arguments->options.edgeShare,
                   "Share of the edges' scores that those kept have");
    command
        .add_option("--heads-of", arguments->headsOf,
                    "The heads that carry an edge, from SOURCE to TARGET: L3F120@5 (a feature and its "
                    "position), L3error@5, "
                    "token@5, position@5, constant, logit, or logit=TEXT")
        ->expected(2)
        ->type_name("SOURCE TARGET");
    addShareOption(command, "--share", arguments->share,
                   "Share of an edge that the fewest heads are counted for");
    command
        .add_option(
            "--json", arguments->json,
            "Where the JSON goes, in the form of circuit-tracer and Neuronpedia; - is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { makeGraph(*arguments); }; });
}

}  // namespace hs::app
