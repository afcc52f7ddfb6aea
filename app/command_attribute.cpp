#include "commands.h"

#include "analysis/attribution_share.h"
#include "base/failure.h"
#include "engine/engine.h"
#include "output.h"
#include "token_output.h"
#include "words.h"
#include "workspace.h"

#include <limits>
#include <map>
#include <memory>

namespace hs {
namespace {

constexpr std::size_t kEdgesListed = 1000;
constexpr int kCurvePoints = 1000;  // every count up to here
constexpr double kCellShare = 0.9;  // of a head that its listed cells make

struct Arguments {
    ModelArguments model;
    PromptArguments prompt;
    RunArguments run;
    std::string target;
    std::optional<std::string> versus;
    std::optional<int> position;
    double share = 0.8;
    std::string json;
};

Json headRow(HeadId head, double value)
{
    return {{"layer", head.layer}, {"head", head.head}, {"value", value}};
}

Json rankedHeads(const Attribution& attribution)
{
    Json rows = Json::array();
    for (const std::size_t index : rankByMagnitude(attribution.heads))
        rows.push_back(headRow(attribution.shape.at(static_cast<int>(index)), attribution.heads[index]));
    return rows;
}

Json listedEdges(const Attribution& attribution)
{
    Json rows = Json::array();
    for (const AttributionEdge& edge : attribution.edges) {
        if (rows.size() == kEdgesListed)
            break;
        rows.push_back({{"layer", edge.head.layer},
                        {"head", edge.head.head},
                        {"query", attribution.position},
                        {"key", edge.key},
                        {"value", edge.value}});
    }
    return rows;
}

Json massCurve(std::span<const double> contributions)
{
    const std::vector<double> mass = cumulativeMass(contributions);
    Json points = Json::array();
    for (const int count : curveCounts(static_cast<int>(mass.size()), kCurvePoints))
        points.push_back({count, mass[static_cast<std::size_t>(count) - 1]});
    return points;
}

/// The cells that make most of a head, largest first.
Json carryingCells(const std::vector<AttributionEdge>& cells)
{
    std::vector<double> values;
    for (const AttributionEdge& cell : cells)
        values.push_back(cell.value);
    Json rows = Json::array();
    for (const std::size_t index : smallestReaching(values, kCellShare))
        rows.push_back({{"key", cells[index].key}, {"value", cells[index].value}});
    return rows;
}

Json smallestSet(const Attribution& attribution, double share)
{
    std::map<HeadId, std::vector<AttributionEdge>> cells;
    for (const AttributionEdge& edge : attribution.edges)
        cells[edge.head].push_back(edge);
    Json rows = Json::array();
    for (const std::size_t index : smallestReaching(attribution.heads, share)) {
        const HeadId head = attribution.shape.at(static_cast<int>(index));
        Json row = headRow(head, attribution.heads[index]);
        row["cells"] = carryingCells(cells[head]);
        for (Json& cell : row["cells"])
            cell["query"] = attribution.position;
        rows.push_back(std::move(row));
    }
    return rows;
}

Json partList(const Attribution& attribution)
{
    using Kind = AttributionPart::Kind;
    Json rows = Json::array();
    for (const AttributionPart& part : attribution.parts) {
        Json row = {{"part", name(part.kind)}, {"value", part.value}};
        if (part.kind != Kind::Embedding && part.kind != Kind::FinalBias)
            row["layer"] = part.layer;
        if (part.kind == Kind::Head)
            row["head"] = part.head;
        rows.push_back(std::move(row));
    }
    return rows;
}

Json toJson(const Attribution& attribution, const AttributionRequest& request, const Workspace& workspace,
            double share)
{
    std::vector<double> edgeValues;
    for (const AttributionEdge& edge : attribution.edges)
        edgeValues.push_back(edge.value);
    const Tokenizer* const tokenizer = workspace.tokenizer.get();
    Json target = tokenJson(request.target, tokenizer);
    target["prob"] = attribution.probability;
    return {{"model", workspace.model->facts().name},
            {"tokens", tokenList(request.run.tokens, tokenizer)},
            {"position", attribution.position},
            {"target", std::move(target)},
            {"versus", request.versus ? tokenJson(*request.versus, tokenizer) : Json(nullptr)},
            {"logit", attribution.logit},
            {"parts", partList(attribution)},
            {"heads", rankedHeads(attribution)},
            {"edges", listedEdges(attribution)},
            {"edges_total", attribution.edges.size()},
            {"cumulative", {{"heads", massCurve(attribution.heads)}, {"edges", massCurve(edgeValues)}}},
            {"share", share},
            {"smallest", smallestSet(attribution, share)}};
}

void run(const Arguments& arguments)
{
    const Workspace workspace = openWorkspace(arguments.model);
    AttributionRequest request;
    request.run = makeRequest(workspace, arguments.prompt, arguments.run);
    request.position = arguments.position.value_or(-1);
    request.target = wantedToken(workspace, arguments.target);
    if (arguments.versus)
        request.versus = wantedToken(workspace, *arguments.versus);
    Engine engine;
    ProgressLine progress("Layer");
    const Attribution attribution =
        orThrow(engine.attribute(request, {progress.callback(), interruptToken()}));
    writeOutput(arguments.json, toJson(attribution, request, workspace, arguments.share));
}

}  // namespace

void addAttributeCommand(CLI::App& app, Action& action)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App& command = *app.add_subcommand(
        "attribute", "Where a token's logit comes from: direct contributions of heads, cells and MLPs");
    addModelOptions(command, arguments->model);
    addPromptOptions(command, arguments->prompt);
    addRunOptions(command, arguments->run);
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

}  // namespace hs
