#include "app/support/commands.h"

#include "analyses/analysis_json.h"
#include "app/support/circuit_table.h"
#include "app/support/messages.h"
#include "app/support/output.h"
#include "app/support/token_output.h"
#include "app/support/workspace.h"
#include "base/failure.h"
#include "engine/run/engine.h"
#include "stats/attribution_share.h"

#include <limits>
#include <map>
#include <memory>

namespace hs::app {
namespace {

constexpr std::size_t kEdgesListed = 1000;
constexpr int kCurvePoints = 1000;  // every count up to here
constexpr double kCellShare = 0.9;  // of a head, which its listed cells make up

struct AttributeArguments {
    ModelChoice models;
    PromptArguments prompt;
    RunArguments run;
    std::string target;
    std::optional<std::string> versus;
    std::optional<int> position;
    double share = 0.8;
    std::string json;
};

Json massCurve(std::span<const double> contributions)
{
    const std::vector<double> mass = stats::cumulativeMass(contributions);
    Json points = Json::array();
    for (const int count : stats::curveCounts(static_cast<int>(mass.size()), kCurvePoints))
        points.push_back({count, mass[static_cast<std::size_t>(count) - 1]});
    return points;
}

/// The cells that make up most of a head, largest first.
Json carryingCells(const std::vector<engine::AttributionEdge>& cells)
{
    std::vector<double> values;
    for (const engine::AttributionEdge& cell : cells)
        values.push_back(cell.value);
    Json rows = Json::array();
    for (const std::size_t index : stats::smallestReaching(values, kCellShare))
        rows.push_back({{"key", cells[index].key}, {"value", cells[index].value}});
    return rows;
}

Json smallestSet(const engine::Attribution& attribution, double share)
{
    std::map<HeadId, std::vector<engine::AttributionEdge>> cells;
    for (const engine::AttributionEdge& edge : attribution.edges)
        cells[edge.head].push_back(edge);
    Json rows = Json::array();
    for (const std::size_t index : stats::smallestReaching(attribution.heads, share)) {
        const HeadId head = attribution.shape.at(static_cast<int>(index));
        Json row = {{"layer", head.layer}, {"head", head.head}, {"value", attribution.heads[index]}};
        row["cells"] = carryingCells(cells[head]);
        for (Json& cell : row["cells"])
            cell["query"] = attribution.position;
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<double> edgeValues(const engine::Attribution& attribution)
{
    std::vector<double> values;
    for (const engine::AttributionEdge& edge : attribution.edges)
        values.push_back(edge.value);
    return values;
}

/// A model, the request and its result.
struct Panel {
    engine::Workspace workspace;
    engine::AttributionRequest request;
    engine::Attribution attribution;
};

Json panelJson(const Panel& panel, double share)
{
    const engine::Attribution& attribution = panel.attribution;
    const engine::AttributionRequest& request = panel.request;
    const text::Tokenizer* const tokenizer = panel.workspace.tokenizer.get();
    Json json = analyses::toJson(attribution);
    Json& edges = json["edges"];
    if (edges.size() > kEdgesListed)
        edges.erase(edges.begin() + kEdgesListed, edges.end());
    for (Json& mlp : json["mlps"])
        for (const char* const list : {"promotes", "holds_down"})
            for (Json& token : mlp[list])
                token.update(tokenJson(token["id"].get<std::int64_t>(), tokenizer));
    Json target = tokenJson(request.target, tokenizer);
    target["prob"] = attribution.probability;
    json.update({{"model", panel.workspace.model->facts().name},
                 {"tokens", tokenList(request.run.tokens, tokenizer)},
                 {"target", std::move(target)},
                 {"versus", request.versus ? tokenJson(*request.versus, tokenizer) : Json(nullptr)},
                 {"edges_total", attribution.edges.size()},
                 {"cumulative",
                  {{"heads", massCurve(attribution.heads)}, {"edges", massCurve(edgeValues(attribution))}}},
                 {"share", share},
                 {"smallest", smallestSet(attribution, share)}});
    return json;
}

/// How many times as many heads and edges the first model needs to reach the share.
Json factorJson(const engine::Attribution& first, const engine::Attribution& second, double share)
{
    const auto count = [&](const std::vector<double>& values) {
        return static_cast<double>(stats::smallestReaching(values, share).size());
    };
    return {{"heads", factorOf(count(first.heads), count(second.heads))},
            {"edges", factorOf(count(edgeValues(first)), count(edgeValues(second)))}};
}

void run(const AttributeArguments& arguments)
{
    requireWritable(arguments.json);
    std::vector<Panel> panels;
    for (const engine::ModelArguments& model : arguments.models.all()) {
        Panel& panel = panels.emplace_back();
        panel.workspace = openWorkspace(model);
        panel.request.run = makeRequest(panel.workspace, arguments.prompt, arguments.run);
        panel.request.position = arguments.position.value_or(-1);
        panel.request.target = wantedToken(panel.workspace, arguments.target);
        if (arguments.versus)
            panel.request.versus = wantedToken(panel.workspace, *arguments.versus);
    }
    ProgressLine progress("Layer");
    for (Panel& panel : panels) {
        engine::Engine engine;
        panel.attribution = orThrow(engine.attribute(panel.request, {progress.callback(), interruptToken()}));
    }
    const double share = arguments.share;
    if (panels.size() == 1)
        writeOutput(arguments.json, panelJson(panels[0], share));
    else
        writeOutput(arguments.json,
                    Json{{"dense", panelJson(panels[0], share)},
                         {"sparse", panelJson(panels[1], share)},
                         {"factor", factorJson(panels[0].attribution, panels[1].attribution, share)}});
}

}  // namespace

void addAttributeCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<AttributeArguments>();
    CLI::App& command = *app.add_subcommand(
        "attribute", "Where a token's logit comes from: direct contributions of heads, cells and MLPs");
    addModelChoice(command, arguments->models);
    addPromptOptions(command, arguments->prompt);
    addRunOptions(command, arguments->run);
    addAdapterOption(command, arguments->run);
    addTargetOptions(command, arguments->target, arguments->versus);
    command.add_option("--position", arguments->position, "Where it is predicted; by default the last token")
        ->check(CLI::Range(0, std::numeric_limits<int>::max()))
        ->type_name("P");
    command
        .add_option("--share", arguments->share, "Share of all heads' contributions that `smallest` reaches")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command.add_option("--json", arguments->json, "Where the JSON goes; - (default) is standard output")
        ->type_name("F");
    command.callback([arguments, &action] { action = [arguments] { run(*arguments); }; });
}

}  // namespace hs::app
