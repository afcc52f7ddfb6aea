#include "service/engine_backend.h"

#include "analyses/map_analyses.h"
#include "engine/load/model.h"
#include "service/engine_request.h"
#include "service/side_comparison.h"

namespace hs::service {

// Analyses use an engine of their own: the side's remembers the run shown.

engine::RunRequest EngineBackend::runOf(const SideRequest& request, const Hooks& hooks)
{
    engine::RunRequest run = engineRequest(request).run;
    patch(run, request, hooks);
    scale(run, request, hooks);
    return run;
}

analyses::Sweep EngineBackend::sweepOf(const AnalysisRequest& request, const Hooks& hooks,
                                       const OnAnalysisPart& onPart)
{
    engine::Engine engine;
    analyses::SweepRequest order;
    order.run = runOf(request.side, hooks);
    const WatchedLogits logits = watchedLogits(request.side, order.run, engine, hooks);
    order.target = logits.target;
    order.versus = logits.versus;
    order.units = request.sweep.units;
    order.method = request.sweep.method;
    if (order.method == analyses::SweepMethod::Resample)
        order.source = engineRequest(withPrompt(request.side, request.corrupted)).run.tokens;
    return orThrow(analyses::sweep(engine, order, hooks, [&](const analyses::Sweep& part) { onPart(part); }));
}

analyses::Circuit EngineBackend::circuitOf(const AnalysisRequest& request, const Hooks& hooks,
                                           const OnAnalysisPart& onPart)
{
    engine::Engine engine;
    analyses::CircuitRequest order;
    order.clean = runOf(request.side, hooks);
    order.corrupted = runOf(withPrompt(request.side, request.corrupted), hooks);
    const WatchedLogits logits = watchedLogits(request.side, order.clean, engine, hooks);
    order.target = logits.target;
    order.versus = logits.versus;
    order.level = request.circuit.level;
    order.units = request.circuit.units;
    order.ranking = request.circuit.ranking;
    order.isRefined = request.circuit.isRefined;
    return orThrow(
        analyses::findCircuit(engine, order, hooks, [&](const analyses::Circuit& part) { onPart(part); }));
}

engine::Attribution EngineBackend::attributionOf(const AnalysisRequest& request, const Hooks& hooks)
{
    engine::Engine engine;
    const engine::RunRequest run = runOf(request.side, hooks);
    const WatchedLogits logits = watchedLogits(request.side, run, engine, hooks);
    return orThrow(
        engine.attribute({run, request.side.position.value_or(-1), logits.target, logits.versus}, hooks));
}

stats::TokenFlow EngineBackend::flowOf(const AnalysisRequest& request, const Hooks& hooks)
{
    engine::Engine engine;
    const engine::RunRequest run = runOf(request.side, hooks);
    stats::TokenFlow flow = orThrow(analyses::tokenFlow(engine, run, request.threshold, hooks));
    if (request.hasRollout)
        flow.rollout = orThrow(analyses::attentionRollout(engine, run, hooks));
    return flow;
}

analyses::History EngineBackend::historyOf(const AnalysisRequest& request, const Hooks& hooks,
                                           const OnAnalysisPart& onPart)
{
    const auto runAt = [&](const model::Revision& revision) {
        AnalysisRequest at = request;
        OpenRequest wanted = request.side.model->request;
        wanted.source = revision.source;
        at.side.model = orThrow(open(wanted, {{}, hooks.stop}));
        engine::RunRequest run = runOf(at.side, hooks);
        run.capture.topK = 1;
        return run;
    };
    return orThrow(analyses::historyOf(request.side.model->revisions, runAt, hooks,
                                       [&](const analyses::History& part) { onPart(part); }));
}

Result<AnalysisResult> EngineBackend::analyse(const AnalysisRequest& request, const Hooks& hooks,
                                              const OnAnalysisPart& onPart)
{
    return guarded([&]() -> AnalysisResult {
        if (const std::string problem = problemOf(request); !problem.empty())
            fail(ErrorCode::BadRequest, problem);
        const auto tell = [&](AnalysisResult part) {
            if (onPart)
                onPart(std::move(part));
        };
        switch (request.kind) {
        case AnalysisKind::Sweep: return sweepOf(request, hooks, tell);
        case AnalysisKind::Circuit: return circuitOf(request, hooks, tell);
        case AnalysisKind::Attribution: return attributionOf(request, hooks);
        case AnalysisKind::Scatter: {
            engine::Engine engine;
            return orThrow(analyses::scatterHeads(engine, runOf(request.side, hooks), request.heads, hooks));
        }
        case AnalysisKind::Flow: return flowOf(request, hooks);
        case AnalysisKind::Graph: return graphOf(request, hooks, tell);
        case AnalysisKind::EdgeHeads: return edgeHeadsOf(request, hooks);
        case AnalysisKind::Prompts: return scoresOf(request, hooks, tell);
        case AnalysisKind::Lens: return lensOf(request, hooks);
        case AnalysisKind::Saliency: return saliencyOf(request, hooks);
        case AnalysisKind::HeadWords: return headWordsOf(request, hooks, tell);
        case AnalysisKind::History: return historyOf(request, hooks, tell);
        case AnalysisKind::Compare: break;
        }
        return orThrow(compareSides(*this, *this, request, hooks));
    });
}

}  // namespace hs::service
