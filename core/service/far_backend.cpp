#include "service/far_backend.h"

#include "service/far_call.h"
#include "service/far_models.h"
#include "service/far_source.h"
#include "service/graph_trees.h"
#include "service/request_trees.h"
#include "service/result_trees.h"
#include "service/set_trees.h"

namespace hs::service {
namespace {

using remote::Tree;

// There each question has a slot of its own, in which a newer one takes the place of an older.
Tree callOf(FarCall call, Side side = Side::Left)
{
    const int slot = 2 * static_cast<int>(call) + static_cast<int>(indexOf(side));
    return {{"do", wordOf(call)}, {"slot", slot}, {"cancels", true}};
}

}  // namespace

FarBackend::FarBackend(std::string host, std::shared_ptr<remote::Connection> connection)
    : m_host(std::move(host)), m_connection(std::move(connection))
{
}

SideRequest FarBackend::sent(SideRequest request)
{
    if (request.view)
        request.view->set = sent(request.view->set);
    return request;
}

SetSource FarBackend::sent(const SetSource& source)
{
    if (source.where.empty())
        return source;
    if (m_sets.front() != source)
        m_sets = {source, readHere(source)};
    return m_sets.back();
}

Result<std::shared_ptr<const OpenModel>> FarBackend::open(const OpenRequest& request, const Hooks& hooks)
{
    return guarded([&]() -> std::shared_ptr<const OpenModel> {
        std::erase_if(m_models, [](const auto& model) { return model.expired(); });
        Tree keep = Tree::array();
        for (const auto& model : m_models)
            if (const auto kept = model.lock())
                keep.push_back(toTree(kept->request));
        Tree call = callOf(FarCall::Open);
        call["model"] = toTree(request);
        call["keep"] = std::move(keep);
        const Tree answer = orThrow(m_connection->call(call, hooks));
        const JsonReader reader = remote::reader(answer);
        auto model = std::make_shared<OpenModel>(openModelFrom(reader));
        model->request = request;
        model->device += " on " + m_host;
        if (const auto far = farSource(request.source))
            for (model::Revision& revision : model->revisions)
                revision.source = toString(FarSource{far->host, revision.source});
        if (reader["hasTokenizer"].flag())
            model->tokenizer = tokenizer(request, model->fingerprint, hooks);
        m_models.push_back(model);
        return model;
    });
}

std::shared_ptr<const text::Tokenizer>
FarBackend::tokenizer(const OpenRequest& request, const std::string& fingerprint, const Hooks& hooks)
{
    std::weak_ptr<const text::Tokenizer>& known = m_tokenizers[fingerprint];
    if (auto tokenizer = known.lock())
        return tokenizer;
    Tree call = callOf(FarCall::Tokenizer);
    call["model"] = toTree(request);
    const Tree files = orThrow(m_connection->call(call, {{}, hooks.stop}));
    const auto tokenizer = tokenizerFrom(remote::reader(files));
    known = tokenizer;
    return tokenizer;
}

Result<SideResult> FarBackend::run(Side side, const SideRequest& request, const Hooks& hooks,
                                   const OnRunPart& onPart)
{
    return guarded([&] {
        Known& known = m_known[indexOf(side)];
        const Known base = known;
        Tree call = callOf(FarCall::Run, side);
        call["side"] = toTree(sent(request));
        call["which"] = wordOf(side);
        call["base"] = base.number;
        call["parts"] = static_cast<bool>(onPart);
        const auto read = [&](const Tree& tree) {
            const JsonReader reader = remote::reader(tree);
            const bool isDifference = reader["isDifference"].flag();
            if (isDifference && !base.result)
                reader.bad("is the difference to a run that is not here");
            return sideResultFrom(reader["result"], request, isDifference ? base.result.get() : nullptr);
        };
        const Tree answer = orThrow(m_connection->call(call, hooks, [&](const Tree& part) {
            if (onPart)
                onPart(read(part));
        }));
        SideResult result = read(answer);
        known = {static_cast<std::int64_t>(remote::reader(answer)["number"].number(0, 1e15)),
                 std::make_shared<const SideResult>(result)};
        return result;
    });
}

Result<GeneratedText> FarBackend::generate(Side side, const SideRequest& request,
                                           const GenerationSetup& setup, const Hooks& hooks,
                                           const OnRunPart& onStep)
{
    return guarded([&] {
        Tree call = callOf(FarCall::Generate, side);
        call["patient"] = true;
        call["side"] = toTree(request);
        call["which"] = wordOf(side);
        call["setup"] = toTree(setup);
        const Tree answer = orThrow(m_connection->call(call, hooks, [&](const Tree& part) {
            const JsonReader reader = remote::reader(part);
            const GeneratedText text = generatedTextFrom(reader["text"]);
            const std::optional<std::int64_t> next =
                reader["next"] ? std::optional(generatedTokenFrom(reader["next"])) : std::nullopt;
            if (onStep)
                onStep(sideResultFrom(reader["result"], atStep(request, setup.ablateFrom, text.tokens, next),
                                      nullptr));
        }));
        return generatedTextFrom(remote::reader(answer));
    });
}

Result<engine::LayerMap> FarBackend::maps(const SideRequest& request, const MapQuery& query,
                                          const Hooks& hooks)
{
    return guarded([&] {
        Tree call = callOf(FarCall::Maps, query.side);
        call["side"] = toTree(sent(request));
        call["query"] = toTree(query);
        const Tree answer = orThrow(m_connection->call(call, hooks));
        const JsonReader reader = remote::reader(answer);
        return layerMapFrom(reader["map"], query.kind, request.model->heads.heads,
                            reader["tokens"].integer(0, request.model->context));
    });
}

Result<stats::PooledMaps> FarBackend::pooledMaps(Side side, const SideRequest& request, engine::MapKind kind,
                                                 const Hooks& hooks)
{
    return guarded([&] {
        Tree call = callOf(FarCall::Pooled, side);
        call["side"] = toTree(sent(request));
        call["which"] = wordOf(side);
        call["kind"] = wordOf(kind);
        const Tree answer = orThrow(m_connection->call(call, hooks));
        return pooledMapsFrom(remote::reader(answer), request.model->heads);
    });
}

Result<std::vector<float>> FarBackend::cellWeights(Side side, const SideRequest& request, int query, int key,
                                                   const Hooks& hooks)
{
    return guarded([&] {
        Tree call = callOf(FarCall::Cells, side);
        call["side"] = toTree(sent(request));
        call["which"] = wordOf(side);
        call["cell"] = {query, key};
        const Tree answer = orThrow(m_connection->call(call, hooks));
        return remote::readArray<float>(remote::reader(answer)["weights"],
                                        static_cast<std::size_t>(request.model->heads.total()));
    });
}

Result<AnalysisResult> FarBackend::analyse(const AnalysisRequest& request, const Hooks& hooks,
                                           const OnAnalysisPart& onPart)
{
    return guarded([&] {
        Tree call = callOf(FarCall::Analyse);
        call["patient"] = true;
        AnalysisRequest asked = request;
        asked.set = sent(request.set);
        asked.side.view.reset();  // an analysis is of a prompt, or of its own set
        if (asked.other)
            asked.other->view.reset();
        call["analysis"] = toTree(asked);
        const auto read = [&](const Tree& tree) {
            return analysisResultFrom(remote::reader(tree), request.kind, request.side.model->heads);
        };
        return read(orThrow(m_connection->call(call, hooks, [&](const Tree& part) {
            if (onPart)
                onPart(read(part));
        })));
    });
}

Result<FeatureLabels> FarBackend::keepLabels(const std::shared_ptr<const OpenModel>& model,
                                             const std::string& coders, const FeatureLabels& labels,
                                             const Hooks& hooks)
{
    return guarded([&] {
        Tree call = callOf(FarCall::Labels);
        call["model"] = toTree(model->request);
        call["coders"] = coders;
        call["labels"] = treeOf(labels);
        const Tree answer = orThrow(m_connection->call(call, hooks));
        return labelsFrom(remote::reader(answer));
    });
}

Result<analyses::DeviceCheck> FarBackend::checkDevice(const std::shared_ptr<const OpenModel>& model,
                                                      const std::vector<std::int64_t>& tokens,
                                                      const Hooks& hooks)
{
    return guarded([&] {
        Tree call = callOf(FarCall::Check);
        call["patient"] = true;
        call["model"] = toTree(model->request);
        call["tokens"] = tokens;
        const Tree answer = orThrow(m_connection->call(call, hooks));
        return deviceCheckFrom(remote::reader(answer), model->heads);
    });
}

}  // namespace hs::service
