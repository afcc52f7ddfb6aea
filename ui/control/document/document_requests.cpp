#include "control/document/document_requests.h"

#include "control/document/generated_text.h"
#include "control/document/shown_heads.h"
#include "service/engine_need.h"

#include <algorithm>

namespace hs::control {
namespace {

constexpr std::size_t kScatterHeads = 16;  // unless they are named
constexpr int kIntegrationSteps = 32;      // of gradients: errors of some percent

/// Whether it is of maps, and so of blocks where maps are.
bool readsMaps(service::AnalysisKind kind)
{
    return kind == service::AnalysisKind::Scatter || kind == service::AnalysisKind::Flow ||
           kind == service::AnalysisKind::Compare || kind == service::AnalysisKind::History;
}

bool readsLogits(service::AnalysisKind kind)
{
    return kind == service::AnalysisKind::Sweep || kind == service::AnalysisKind::Circuit ||
           kind == service::AnalysisKind::Attribution || kind == service::AnalysisKind::Saliency ||
           service::readsFeatures(kind);
}

std::vector<HeadId> scatterHeads(const Document& document, Side side, const HeadShape& shape)
{
    std::vector<HeadId> heads = document.analyses.scatterHeads;
    std::erase_if(heads, [&](HeadId head) { return !shape.contains(head); });
    if (!document.analyses.scatterHeads.empty())
        return heads;
    heads = headsShown(document.side(side).grid, shape, {});
    heads.resize(std::min(heads.size(), kScatterHeads));
    return heads;
}

}  // namespace

service::SetSource setSource(const SetChoice& choice)
{
    return {choice.source.toStdString(), choice.stamp.toStdString(), choice.pattern.toStdString(), {}};
}

service::SideRequest sideRequest(const Document& document, Side side,
                                 std::shared_ptr<const service::OpenModel> model)
{
    const SideSetup& setup = document.side(side);
    service::SideRequest request;
    if (model && !service::whyNoRun(*model).empty()) {
        request.model = std::move(model);
        return request;
    }
    request.prompt = setup.prompt.text.toStdString();
    request.isChat = setup.prompt.isChat;
    request.tokenIds = setup.prompt.tokenIds.toStdString();
    request.hasBos = setup.prompt.hasBos;
    // Resolved for the model: a bias that is not used must not start a run.
    request.gate = engine::chooseGate(setup.gate, model ? model->ownGateBias : std::nullopt);
    request.adapters = setup.adapters;
    request.ablations = setup.ablations;
    request.scales = setup.graph.scales;
    if (!request.scales.empty())
        request.scaledIn = setup.graph.coders.toStdString();
    if (std::ranges::any_of(setup.ablations, [](const auto& entry) { return entry.second.isPatched(); }))
        request.patch = document.corrupted.toStdString();
    request.position = document.position;
    request.target = document.target.toStdString();
    request.distractor = document.distractor.toStdString();
    if (const SetChoice& set = document.set; set.average && !set.source.isEmpty())
        request.view = service::SetView{setSource(set), set.align, *set.average};
    else
        request.blocks = document.blocks;
    request.model = std::move(model);
    if (setup.generated.empty() || request.view)
        return request;
    const std::vector<std::int64_t> shown = generatedShown(document, side);
    const bool isRead = shown.size() < setup.generated.size() && !document.position;
    return service::atStep(std::move(request), document.generation.ablateFrom, shown,
                           isRead ? std::optional(setup.generated[shown.size()]) : std::nullopt);
}

service::SideRequest generationRequest(Document document, Side side,
                                       std::shared_ptr<const service::OpenModel> model)
{
    document.side(side).generated.clear();
    document.position.reset();
    return sideRequest(document, side, std::move(model));
}

std::optional<service::AnalysisRequest> analysisRequest(const Document& document, service::AnalysisKind kind,
                                                        Side side, const OpenModels& models)
{
    const std::shared_ptr<const service::OpenModel>& model = models[indexOf(side)];
    if (!model)
        return std::nullopt;
    service::AnalysisRequest request;
    request.kind = kind;
    request.side = sideRequest(document, side, model);
    request.side.next.reset();
    request.side.view.reset();  // analyses are of the prompt
    if (!readsMaps(kind))
        request.side.blocks = {};
    const bool isLens = kind == service::AnalysisKind::Lens;
    if (!readsLogits(kind)) {
        request.side.distractor.clear();
        // A lens reads every position, but without a target the one whose prediction stands for it.
        if (kind != service::AnalysisKind::HeadWords && !(isLens && request.side.target.empty()))
            request.side.position.reset();
        if (!isLens)
            request.side.target.clear();
    }
    if (service::readsFeatures(kind)) {  // a graph is of the model as it is
        request.side.scales.clear();
        request.side.scaledIn.clear();
    }
    switch (kind) {
    case service::AnalysisKind::Sweep: request.sweep = document.analyses.sweep; break;
    case service::AnalysisKind::Circuit:
        request.circuit = document.analyses.circuit;
        if (request.circuit.units == analyses::CircuitUnits::Paths)  // which make no smallest circuit
            request.circuit = {analyses::CircuitUnits::Paths, request.circuit.ranking};
        break;
    case service::AnalysisKind::Attribution: break;
    case service::AnalysisKind::Scatter: request.heads = scatterHeads(document, side, model->heads); break;
    case service::AnalysisKind::Compare: {
        const auto& other = models[indexOf(Side::Right)];
        if (side == Side::Right || !other)
            return std::nullopt;
        request.other = sideRequest(document, Side::Right, other);
        request.other->view.reset();
        request.other->target.clear();
        request.other->distractor.clear();
        request.other->position.reset();
        request.other->next.reset();
        break;
    }
    case service::AnalysisKind::Prompts:
        request.set = setSource(document.set);
        request.side.prompt.clear();
        request.side.isChat = false;
        request.side.tokenIds.clear();
        request.side.generated.clear();
        break;
    case service::AnalysisKind::EdgeHeads:
        request.graph.sources = document.side(side).graph.sources;
        request.graph.targets = document.side(side).graph.targets;
        if (request.graph.sources.empty() || request.graph.targets.empty())
            return std::nullopt;
        [[fallthrough]];
    case service::AnalysisKind::Graph:
        request.graph.coders = document.side(side).graph.coders.toStdString();
        break;
    case service::AnalysisKind::Flow:
        request.threshold = document.analyses.flowThreshold;
        request.hasRollout = document.analyses.hasRollout;
        break;
    case service::AnalysisKind::Lens: request.lens.withHalves = document.analyses.lens.withHalves; break;
    case service::AnalysisKind::Saliency:
        if (document.analyses.lens.saliency == LensChoice::Saliency::None)
            return std::nullopt;
        if (document.analyses.lens.saliency == LensChoice::Saliency::Integrated)
            request.lens.steps = kIntegrationSteps;
        break;
    case service::AnalysisKind::HeadWords:
    case service::AnalysisKind::History: break;
    }
    if (service::readsCorrupted(request))
        request.corrupted = document.corrupted.toStdString();
    return request;
}

}  // namespace hs::control
