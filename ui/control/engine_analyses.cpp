#include "control/engine_backend.h"

#include "control/engine_request.h"
#include "engine/map_analyses.h"
#include "engine/model.h"
#include "text/single_token.h"

namespace hs {
namespace {

// Analyses have an engine of their own: the side's remembers the run on show.

struct Logits {
    std::int64_t target = 0;
    std::optional<std::int64_t> versus;
};

std::int64_t tokenOf(const SideRequest& request, const std::string& text)
{
    if (!request.model->tokenizer)
        fail(ErrorCode::NotFound, "This model's folder has no tokenizer, so \"" + text +
                                      "\" cannot be found in its vocabulary; put its tokenizer.json there.");
    return orThrow(singleToken(*request.model->tokenizer, text));
}

/// The tokens that a request reads; without a target the one that the run predicts.
Logits logitsOf(const SideRequest& request, const RunRequest& run, Engine& engine, const Hooks& hooks)
{
    Logits logits;
    if (!request.distractor.empty())
        logits.versus = tokenOf(request, request.distractor);
    if (!request.target.empty())
        logits.target = tokenOf(request, request.target);
    else
        logits.target = orThrow(engine.run(run, {{}, hooks.stop})).predictions.at(0).token;
    return logits;
}

SideRequest withPrompt(SideRequest request, const std::string& prompt)
{
    request.prompt = prompt;
    request.tokenIds.clear();
    return request;
}

}  // namespace

RunRequest EngineBackend::runOf(const SideRequest& request, const Hooks& hooks)
{
    RunRequest run = engineRequest(request).run;
    patch(run, request, hooks);
    return run;
}

Sweep EngineBackend::sweepOf(const AnalysisRequest& request, const Hooks& hooks, const OnAnalysisPart& onPart)
{
    Engine engine;
    SweepRequest order;
    order.run = runOf(request.side, hooks);
    const Logits logits = logitsOf(request.side, order.run, engine, hooks);
    order.target = logits.target;
    order.versus = logits.versus;
    order.units = request.sweep.units;
    order.method = request.sweep.method;
    if (order.method == SweepMethod::Resample)
        order.source = engineRequest(withPrompt(request.side, request.corrupted)).run.tokens;
    return orThrow(sweep(engine, order, hooks, [&](const Sweep& part) { onPart(part); }));
}

Circuit EngineBackend::circuitOf(const AnalysisRequest& request, const Hooks& hooks,
                                 const OnAnalysisPart& onPart)
{
    Engine engine;
    CircuitRequest order;
    order.clean = runOf(request.side, hooks);
    order.corrupted = runOf(withPrompt(request.side, request.corrupted), hooks);
    const Logits logits = logitsOf(request.side, order.clean, engine, hooks);
    order.target = logits.target;
    order.versus = logits.versus;
    order.level = request.circuit.level;
    order.units = request.circuit.units;
    order.ranking = request.circuit.ranking;
    order.isRefined = request.circuit.isRefined;
    return orThrow(findCircuit(engine, order, hooks, [&](const Circuit& part) { onPart(part); }));
}

Attribution EngineBackend::attributionOf(const AnalysisRequest& request, const Hooks& hooks)
{
    Engine engine;
    const RunRequest run = runOf(request.side, hooks);
    const Logits logits = logitsOf(request.side, run, engine, hooks);
    return orThrow(
        engine.attribute({run, request.side.position.value_or(-1), logits.target, logits.versus}, hooks));
}

Result<AnalysisResult> EngineBackend::analyse(const AnalysisRequest& request, const Hooks& hooks,
                                              const OnAnalysisPart& onPart)
{
    return guarded([&]() -> AnalysisResult {
        if (const QString problem = problemOf(request); !problem.isEmpty())
            fail(ErrorCode::BadRequest, problem.toStdString());
        const auto tell = [&](AnalysisResult part) {
            if (onPart)
                onPart(std::move(part));
        };
        Engine engine;
        switch (request.kind) {
        case AnalysisKind::Sweep: return sweepOf(request, hooks, tell);
        case AnalysisKind::Circuit: return circuitOf(request, hooks, tell);
        case AnalysisKind::Attribution: return attributionOf(request, hooks);
        case AnalysisKind::Scatter:
            return orThrow(scatterHeads(engine, runOf(request.side, hooks), request.heads, hooks));
        case AnalysisKind::Flow:
            return orThrow(tokenFlow(engine, runOf(request.side, hooks), request.threshold, hooks));
        case AnalysisKind::Compare: break;
        }
        Engine second;
        return orThrow(compareRuns(engine, runOf(request.side, hooks), second,
                                   runOf(request.other.value(), hooks), hooks));
    });
}

}  // namespace hs
