#include "engine/load/model.h"
#include "features/effects/scaled_features.h"
#include "features/texts/known_texts.h"
#include "features/texts/promoted_tokens.h"
#include "service/engine_backend.h"
#include "service/engine_request.h"

#include <algorithm>
#include <set>

namespace hs::service {
namespace {

constexpr std::size_t kMostCarried = 24;  // edges whose heads are looked for at once
constexpr std::size_t kMostCoders = 2;
constexpr int kPromoted = 6;  // tokens of each feature

std::string codersOf(const AnalysisRequest& request)
{
    return request.graph.coders.empty() ? request.side.model->coders : request.graph.coders;
}

std::vector<FeatureId> featuresOf(const features::Graph& graph)
{
    std::set<FeatureId> features;
    for (const features::GraphNode& node : graph.nodes)
        if (node.kind == features::GraphNode::Kind::Feature)
            features.insert({node.layer, static_cast<int>(node.index)});
    return {features.begin(), features.end()};
}

std::vector<features::FeatureToken> promotedTexts(const std::vector<engine::TokenWeight>& tokens,
                                                  const text::Tokenizer& tokenizer)
{
    std::vector<features::FeatureToken> texts;
    for (const engine::TokenWeight& token : tokens)
        texts.push_back({tokenizer.tokenText(token.token), token.weight, {}, 0});
    return texts;
}

/// What is known of a graph's features; what they promote is computed where no file says it.
void describe(FeatureGraph& found, const std::string& folder, const features::GraphRequest& order,
              const text::Tokenizer* tokenizer)
{
    features::KnownTexts known(folder);
    std::vector<FeatureId> silent;
    for (const FeatureId feature : featuresOf(found.graph)) {
        found.texts.push_back(orThrow(known.textsOf(feature)));
        if (found.texts.back().promotes.empty())
            silent.push_back(feature);
    }
    found.notes.insert(found.notes.end(), known.notes().begin(), known.notes().end());
    if (!tokenizer || silent.empty())
        return;
    const std::vector<engine::PromotedTokens> promoted =
        features::promotedTokens(*order.run.model, *order.coders, silent, kPromoted);
    for (std::size_t at = 0; at < silent.size(); ++at) {
        features::FeatureTexts& texts =
            *std::ranges::lower_bound(found.texts, silent[at], {}, &features::FeatureTexts::feature);
        texts.promotes = promotedTexts(promoted[at].most, *tokenizer);
        texts.suppresses = promotedTexts(promoted[at].least, *tokenizer);
    }
}

}  // namespace

std::shared_ptr<const features::Transcoders> EngineBackend::codersFor(const engine::Model& model,
                                                                      const std::string& folder)
{
    const auto known = std::ranges::find_if(
        m_coders, [&](const OpenCoders& open) { return open.folder == folder && open.spec == model.spec(); });
    if (known != m_coders.end())
        return known->coders;
    m_coders.push_back({folder, model.spec(), orThrow(features::openTranscoders(folder, model.spec()))});
    if (m_coders.size() > kMostCoders)
        m_coders.pop_front();
    return m_coders.back().coders;
}

void EngineBackend::scale(engine::RunRequest& run, const SideRequest& request, const Hooks& hooks)
{
    if (request.scales.empty())
        return;
    SideRequest asked = request;  // what is read of the run does not matter
    asked.position.reset();
    asked.target.clear();
    asked.distractor.clear();
    asked.tileBytes = 0;
    if (!m_scaled || m_scaled->request != asked) {
        const std::string& folder = request.scaledIn.empty() ? request.model->coders : request.scaledIn;
        if (folder.empty())
            fail(ErrorCode::NotFound, "There are no transcoders beside " + request.model->title +
                                          " whose features could be scaled; choose their folder.");
        m_scaled = Scaled{asked, orThrow(features::scaledWrites(run, codersFor(*run.model, folder),
                                                                request.scales, {{}, hooks.stop}))};
    }
    run.writes = m_scaled->writes;
}

features::GraphRequest EngineBackend::graphRequest(const AnalysisRequest& request, const Hooks& hooks)
{
    features::GraphRequest order;
    order.run = runOf(request.side, hooks);
    order.coders = codersFor(*order.run.model, codersOf(request));
    order.position = request.side.position.value_or(-1);
    order.options.nodeShare = kGraphShare;
    if (!request.side.target.empty())
        order.target = tokenOf(request.side, request.side.target);
    if (order.target && !request.side.distractor.empty())
        order.versus = tokenOf(request.side, request.side.distractor);
    return order;
}

FeatureGraph EngineBackend::graphOf(const AnalysisRequest& request, const Hooks& hooks,
                                    const OnAnalysisPart& onPart)
{
    const features::GraphRequest order = graphRequest(request, hooks);
    FeatureGraph found;
    found.shape = request.side.model->heads;
    found.coders = order.coders->facts().name;
    found.notes = order.coders->facts().notes;
    found.graph = orThrow(features::makeGraph(order, hooks));
    describe(found, codersOf(request), order, request.side.model->tokenizer.get());
    onPart(found);
    const std::vector<int> crossing = crossingEdges(found.graph, kMostCarried);
    if (crossing.empty())
        return found;
    const auto nodeOf = [&](int index) {
        return features::idOf(found.graph.nodes[static_cast<std::size_t>(index)]);
    };
    const features::EdgeTracer tracer = orThrow(features::EdgeTracer::open(order, {{}, hooks.stop}));
    for (std::size_t at = 0; at < crossing.size(); ++at) {
        hooks.report(static_cast<int>(at), static_cast<int>(crossing.size()));
        const features::GraphEdge& edge = found.graph.edges[static_cast<std::size_t>(crossing[at])];
        found.carried.push_back(
            {crossing[at], orThrow(tracer.headsOf({nodeOf(edge.source)}, {nodeOf(edge.target)})).loads});
    }
    return found;
}

features::EdgeHeads EngineBackend::edgeHeadsOf(const AnalysisRequest& request, const Hooks& hooks)
{
    return orThrow(features::headsOfEdge(graphRequest(request, hooks), request.graph.sources,
                                         request.graph.targets, hooks));
}

Result<FeatureLabels> EngineBackend::keepLabels(const std::shared_ptr<const OpenModel>& model,
                                                const std::string& coders, const FeatureLabels& labels,
                                                const Hooks& /*hooks*/)
{
    return guarded([&] {
        features::KnownTexts known(coders.empty() ? model->coders : coders);
        FeatureLabels before;
        for (const auto& [feature, label] : labels) {
            const auto had = known.labels().find(feature);
            before[feature] = had == known.labels().end() ? std::string() : had->second;
            if (before[feature] != label)
                orThrow(known.setLabel(feature, label));
        }
        return before;
    });
}

}  // namespace hs::service
