#include "service/request_trees.h"

#include "analyses/head_json.h"
#include "service/far_source.h"
#include "service/graph_trees.h"
#include "service/set_trees.h"

namespace hs::service {
namespace {

using remote::Tree;

constexpr int kLastPosition = 1 << 24;
constexpr int kLargestToken = 1 << 24;
constexpr int kMostSteps = 100000;  // of integrated gradients, as on the command line

HeadId unitFrom(const JsonReader& pair, const HeadShape& shape)
{
    return analyses::unitFrom(pair[0], pair[1], shape);
}

Tree pairOf(HeadId head)
{
    return {head.layer, analyses::indexOf(head)};
}

std::vector<std::int64_t> generatedTokensFrom(const JsonReader& reader)
{
    std::vector<std::int64_t> tokens;
    for (const JsonReader& token : reader.items())
        tokens.push_back(generatedTokenFrom(token));
    return tokens;
}

}  // namespace

Tree toTree(const OpenRequest& request)
{
    return {{"source", sourceThere(request.source)},
            {"device", request.device},
            {"dtype", request.dtype},
            {"tf32", request.tf32}};
}

OpenRequest openRequestFrom(const JsonReader& reader)
{
    return {reader["source"].text(), reader["device"].text("auto"), reader["dtype"].text("auto"),
            reader["tf32"].flag(false)};
}

Tree toTree(const SideRequest& request)
{
    Tree ablations = Tree::array();
    for (const auto& [head, change] : request.ablations)
        ablations.push_back({head.layer, analyses::indexOf(head), toString(change)});
    Tree tree = {{"model", toTree(request.model->request)},
                 {"fingerprint", request.model->fingerprint},
                 {"prompt", request.prompt},
                 {"tokenIds", request.tokenIds},
                 {"bos", request.hasBos},
                 {"ablations", std::move(ablations)},
                 {"patch", request.patch},
                 {"target", request.target},
                 {"distractor", request.distractor}};
    for (const FeatureScale& scale : request.scales)
        tree["scales"].push_back(toString(scale));
    if (!request.scaledIn.empty())
        tree["scaledIn"] = request.scaledIn;
    if (request.isChat)
        tree["chat"] = true;
    if (!request.generated.empty())
        tree["generated"] = request.generated;
    if (request.next)
        tree["next"] = *request.next;
    if (request.gate)
        tree["gate"] = request.gate->bias;
    for (const engine::AdapterChoice& choice : request.adapters)
        tree["adapters"].push_back({choice.folder, choice.strength});
    if (request.position)
        tree["position"] = *request.position;
    if (request.view)
        tree["view"] = toTree(*request.view);
    if (!request.blocks.isNone())
        tree["blocks"] = toString(request.blocks);
    return tree;
}

SideRequest sideRequestFrom(const JsonReader& reader, const FindModel& find)
{
    SideRequest request;
    request.model = find(openRequestFrom(reader["model"]));
    if (request.model->fingerprint != reader["fingerprint"].text())
        fail(ErrorCode::BadFile, "The files of " + request.model->title +
                                     " have changed on that machine since it was opened; open it again.");
    request.prompt = reader["prompt"].text("");
    request.isChat = reader["chat"].flag(false);
    request.tokenIds = reader["tokenIds"].text("");
    request.hasBos = reader["bos"].flag(true);
    if (reader["generated"])
        request.generated = generatedTokensFrom(reader["generated"]);
    if (reader["next"])
        request.next = generatedTokenFrom(reader["next"]);
    if (reader["gate"])
        request.gate = engine::ScoreGate{reader["gate"].number()};
    if (reader["adapters"])
        for (const JsonReader& choice : reader["adapters"].items())
            request.adapters.push_back({choice[0].text(), choice[1].number()});
    if (reader["ablations"])
        for (const JsonReader& entry : reader["ablations"].items())
            request.ablations[unitFrom(entry, request.model->heads)] = headChangeFrom(entry[2]);
    if (reader["scales"])
        for (const JsonReader& entry : reader["scales"].items())
            request.scales.push_back(orThrow(parseFeatureScale(entry.text())));
    request.scaledIn = reader["scaledIn"].text("");
    request.patch = reader["patch"].text("");
    if (reader["position"])
        request.position = reader["position"].integer(0, kLastPosition);
    request.target = reader["target"].text("");
    request.distractor = reader["distractor"].text("");
    if (reader["view"])
        request.view = setViewFrom(reader["view"]);
    if (reader["blocks"])
        request.blocks = orThrow(text::parseBlocks(reader["blocks"].text()));
    return request;
}

Tree toTree(const std::vector<HeadId>& heads)
{
    Tree tree = Tree::array();
    for (const HeadId head : heads)
        tree.push_back(pairOf(head));
    return tree;
}

std::vector<HeadId> headsFrom(const JsonReader& reader, const HeadShape& shape)
{
    std::vector<HeadId> heads;
    for (const JsonReader& pair : reader.items())
        heads.push_back({pair[0].integer(0, shape.layers - 1), pair[1].integer(0, shape.heads - 1)});
    return heads;
}

Tree toTree(const AnalysisRequest& request)
{
    Tree tree = {{"kind", wordOf(request.kind)},
                 {"side", toTree(request.side)},
                 {"corrupted", request.corrupted},
                 {"sweep", {wordOf(request.sweep.units), wordOf(request.sweep.method)}},
                 {"circuit",
                  {{"units", wordOf(request.circuit.units)},
                   {"ranking", wordOf(request.circuit.ranking)},
                   {"level", request.circuit.level},
                   {"refined", request.circuit.isRefined}}},
                 {"heads", toTree(request.heads)},
                 {"threshold", request.threshold}};
    if (readsFeatures(request.kind))
        tree["graph"] = {{"coders", request.graph.coders},
                         {"sources", treeOf(request.graph.sources)},
                         {"targets", treeOf(request.graph.targets)}};
    if (request.kind == AnalysisKind::Prompts)
        tree["set"] = toTree(request.set);
    tree["rollout"] = request.hasRollout;
    tree["lens"] = {{"halves", request.lens.withHalves}, {"steps", request.lens.steps}};
    if (request.lens.key)
        tree["lens"]["key"] = *request.lens.key;
    if (request.other)
        tree["other"] = toTree(*request.other);
    return tree;
}

AnalysisRequest analysisRequestFrom(const JsonReader& reader, const FindModel& find)
{
    AnalysisRequest request;
    request.kind = reader["kind"].word<AnalysisKind>();
    request.side = sideRequestFrom(reader["side"], find);
    if (request.kind == AnalysisKind::Compare)
        request.other = sideRequestFrom(reader["other"], find);
    request.corrupted = reader["corrupted"].text("");
    request.sweep = {reader["sweep"][0].word<analyses::SweepUnits>(),
                     reader["sweep"][1].word<analyses::SweepMethod>()};
    const JsonReader circuit = reader["circuit"];
    request.circuit = {circuit["units"].word<analyses::CircuitUnits>(),
                       circuit["ranking"].word<analyses::CircuitRanking>(), circuit["level"].number(),
                       circuit["refined"].flag()};
    request.heads = headsFrom(reader["heads"], request.side.model->heads);
    request.threshold = reader["threshold"].number();
    if (request.kind == AnalysisKind::Prompts)
        request.set = setSourceFrom(reader["set"]);
    if (readsFeatures(request.kind))
        request.graph = {reader["graph"]["coders"].text(), nodesFrom(reader["graph"]["sources"]),
                         nodesFrom(reader["graph"]["targets"])};
    request.hasRollout = reader["rollout"].flag(false);
    if (const JsonReader lens = reader["lens"]) {
        request.lens.withHalves = lens["halves"].flag();
        request.lens.steps = lens["steps"].integer(1, kMostSteps);
        if (lens["key"])
            request.lens.key = lens["key"].integer(0, kLastPosition);
    }
    return request;
}

Tree toTree(const GenerationSetup& setup)
{
    return {{"count", setup.count}, {"temperature", setup.temperature},
            {"topK", setup.topK},   {"seed", setup.seed},
            {"stop", setup.stop},   {"ablateFrom", setup.ablateFrom}};
}

GenerationSetup generationSetupFrom(const JsonReader& reader)
{
    return {reader["count"].integer(0, kLastPosition),
            reader["temperature"].number(0, 1e6),
            reader["topK"].integer(0, kLargestToken),
            static_cast<std::uint64_t>(reader["seed"].number(0, 1e15)),
            reader["stop"].text(),
            reader["ablateFrom"].integer(0, kLastPosition)};
}

Tree toTree(const GeneratedText& text)
{
    return {{"tokens", text.tokens}, {"end", wordOf(text.end)}};
}

GeneratedText generatedTextFrom(const JsonReader& reader)
{
    return {generatedTokensFrom(reader["tokens"]), reader["end"].word<analyses::GenerationEnd>()};
}

std::int64_t generatedTokenFrom(const JsonReader& reader)
{
    return reader.integer(0, kLargestToken);
}

Tree toTree(const MapQuery& query)
{
    return {{"side", wordOf(query.side)},
            {"layer", query.layer},
            {"kind", wordOf(query.kind)},
            {"before", query.isBefore}};
}

MapQuery mapQueryFrom(const JsonReader& reader, const HeadShape& heads)
{
    return {reader["side"].word<Side>(), reader["layer"].integer(0, heads.layers - 1),
            reader["kind"].word<engine::MapKind>(), reader["before"].flag()};
}

}  // namespace hs::service
