#include "service/engine_handler.h"

#include "service/engine_request.h"
#include "service/far_models.h"
#include "service/graph_trees.h"
#include "service/request_trees.h"
#include "service/result_trees.h"

#include <algorithm>

namespace hs::service {
namespace {

using remote::Tree;
using OnPart = std::function<void(Tree)>;

constexpr std::size_t kMostModels = 16;
// About as many cells as a grid has pixels in half a window: a click should not wait for more than that on a slow
// line. Of the heads that are seen larger, full maps are asked for.
constexpr int kTileBytes = 256 << 10;

}  // namespace

Tree EngineHandler::answer(const Tree& request, const Hooks& hooks, const OnPart& onPart)
{
    const JsonReader reader = remote::reader(request);
    switch (reader["do"].word<FarCall>()) {
    case FarCall::Open: return open(reader, hooks);
    case FarCall::Tokenizer: return tokenizerFiles(openRequestFrom(reader["model"]).source);
    case FarCall::Run: return run(reader, hooks, onPart);
    case FarCall::Maps: return maps(reader, hooks);
    case FarCall::Pooled: return pooled(reader, hooks);
    case FarCall::Cells: return cells(reader, hooks);
    case FarCall::Analyse: return analyse(reader, hooks, onPart);
    case FarCall::Labels:
        return treeOf(
            orThrow(m_backend->keepLabels(model(openRequestFrom(reader["model"]), hooks),
                                          reader["coders"].text(""), labelsFrom(reader["labels"]), hooks)));
    case FarCall::Generate: return generate(reader, hooks, onPart);
    case FarCall::Check: return check(reader, hooks);
    case FarCall::List: break;
    }
    return toTree(listFarFolder(reader["path"].text("")));
}

void EngineHandler::rest()
{
    m_models.clear();
    m_known = {};
    m_backend = std::make_unique<EngineBackend>();
}

std::shared_ptr<const OpenModel> EngineHandler::model(const OpenRequest& request, const Hooks& hooks)
{
    const auto found = std::ranges::find(m_models, request, [](const auto& open) { return open->request; });
    if (found != m_models.end())
        return *found;
    if (m_models.size() == kMostModels)
        m_models.erase(m_models.begin());
    m_models.push_back(orThrow(m_backend->open(request, hooks)));
    return m_models.back();
}

Tree EngineHandler::open(const JsonReader& request, const Hooks& hooks)
{
    std::vector<OpenRequest> kept;
    for (const JsonReader& entry : request["keep"].items())
        kept.push_back(openRequestFrom(entry));
    std::erase_if(m_models, [&](const auto& model) { return std::ranges::count(kept, model->request) == 0; });
    const std::shared_ptr<const OpenModel> opened = model(openRequestFrom(request["model"]), hooks);
    Tree tree = toTree(*opened);
    tree["hasTokenizer"] = opened->tokenizer != nullptr;
    return tree;
}

SideRequest EngineHandler::sideOf(const JsonReader& request, const Hooks& hooks)
{
    SideRequest side =
        sideRequestFrom(request["side"], [&](const OpenRequest& wanted) { return model(wanted, hooks); });
    side.tileBytes = kTileBytes;
    return side;
}

Tree EngineHandler::run(const JsonReader& request, const Hooks& hooks, const OnPart& onPart)
{
    const Side side = request["which"].word<Side>();
    const SideRequest wanted = sideOf(request, hooks);
    Known& known = m_known[indexOf(side)];
    const Known base = known;
    const bool isDifference =
        base.result && request["base"].number(0, 1e15) == static_cast<double>(base.number);
    const auto treeOf = [&](const SideResult& result) {
        return Tree{{"isDifference", isDifference},
                    {"result", toTree(result, isDifference ? base.result.get() : nullptr)}};
    };
    OnRunPart tell;
    if (request["parts"].flag())
        tell = [&](const SideResult& part) { onPart(treeOf(part)); };
    const auto result =
        std::make_shared<const SideResult>(orThrow(m_backend->run(side, wanted, hooks, tell)));
    Tree tree = treeOf(*result);
    known = {++m_lastNumber, result};
    tree["number"] = known.number;
    return tree;
}

Tree EngineHandler::generate(const JsonReader& request, const Hooks& hooks, const OnPart& onPart)
{
    const auto tell = [&](const SideResult& step) {
        Tree part = {{"text", toTree(GeneratedText{step.request.generated})},
                     {"result", toTree(step, nullptr)}};
        if (step.request.next)
            part["next"] = *step.request.next;
        onPart(std::move(part));
    };
    return toTree(orThrow(m_backend->generate(request["which"].word<Side>(), sideOf(request, hooks),
                                              generationSetupFrom(request["setup"]), hooks, tell)));
}

int EngineHandler::tokenCount(Side side, const SideRequest& request, const Hooks& hooks)
{
    return static_cast<int>(request.view ? orThrow(m_backend->run(side, request, hooks, {})).tokens.size()
                                         : engineRequest(request).tokens.size());
}

Tree EngineHandler::maps(const JsonReader& request, const Hooks& hooks)
{
    const SideRequest wanted = sideOf(request, hooks);
    const MapQuery query = mapQueryFrom(request["query"], wanted.model->heads);
    const engine::LayerMap map = orThrow(m_backend->maps(wanted, query, hooks));
    const int tokens = tokenCount(query.side, wanted, hooks);
    return {{"map", toTree(map, wanted.model->heads.heads, tokens)}, {"tokens", tokens}};
}

Tree EngineHandler::pooled(const JsonReader& request, const Hooks& hooks)
{
    return toTree(orThrow(m_backend->pooledMaps(request["which"].word<Side>(), sideOf(request, hooks),
                                                request["kind"].word<engine::MapKind>(), hooks)));
}

Tree EngineHandler::cells(const JsonReader& request, const Hooks& hooks)
{
    const SideRequest wanted = sideOf(request, hooks);
    const int tokens = tokenCount(request["which"].word<Side>(), wanted, hooks);
    const int query = request["cell"][0].integer(0, tokens - 1);
    const int key = request["cell"][1].integer(0, tokens - 1);
    return {{"weights", remote::arrayOf(orThrow(m_backend->cellWeights(request["which"].word<Side>(), wanted,
                                                                       query, key, hooks)))}};
}

Tree EngineHandler::analyse(const JsonReader& request, const Hooks& hooks, const OnPart& onPart)
{
    const AnalysisRequest wanted = analysisRequestFrom(
        request["analysis"], [&](const OpenRequest& asked) { return model(asked, hooks); });
    return toTree(orThrow(
        m_backend->analyse(wanted, hooks, [&](const AnalysisResult& part) { onPart(toTree(part)); })));
}

Tree EngineHandler::check(const JsonReader& request, const Hooks& hooks)
{
    std::vector<std::int64_t> tokens;
    for (const JsonReader& token : request["tokens"].items())
        tokens.push_back(static_cast<std::int64_t>(token.number(0, 1e15)));
    return toTree(
        orThrow(m_backend->checkDevice(model(openRequestFrom(request["model"]), hooks), tokens, hooks)));
}

}  // namespace hs::service
