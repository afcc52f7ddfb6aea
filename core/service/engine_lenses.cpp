#include "analyses/head_circuit.h"
#include "engine/load/model.h"
#include "service/engine_backend.h"
#include "service/engine_request.h"

#include <algorithm>

namespace hs::service {
namespace {

constexpr int kBest = 5;  // tokens of a reading

}  // namespace

PromptLens EngineBackend::lensOf(const AnalysisRequest& request, const Hooks& hooks)
{
    engine::Engine engine;
    engine::RunRequest run = runOf(request.side, hooks);
    PromptLens found{watchedLogits(request.side, run, engine, hooks).target, {}};
    run.capture.position.reset();
    run.capture.topK = kBest;
    run.capture.watched = {found.target};
    found.layers = orThrow(engine.lens(run, request.lens.withHalves, hooks));
    return found;
}

engine::Saliency EngineBackend::saliencyOf(const AnalysisRequest& request, const Hooks& hooks)
{
    engine::Engine engine;
    engine::SaliencyRequest order;
    order.run = runOf(request.side, hooks);
    const WatchedLogits logits = watchedLogits(request.side, order.run, engine, hooks);
    order.target = logits.target;
    order.versus = logits.versus;
    order.steps = request.lens.steps;
    return orThrow(engine.saliency(order, hooks));
}

HeadWords EngineBackend::headWordsOf(const AnalysisRequest& request, const Hooks& hooks,
                                     const OnAnalysisPart& onPart)
{
    const HeadId head = request.heads.at(0);
    engine::Engine engine;
    engine::RunRequest run = runOf(request.side, hooks);
    run.capture.topK = kHeadWords;
    HeadWords found;
    found.onPrompt = orThrow(engine.headWrite(run, head, request.lens.key, hooks));
    const std::vector<double>& weights = found.onPrompt.weights;
    found.key =
        request.lens.key.value_or(static_cast<int>(std::ranges::max_element(weights) - weights.begin()));
    found.queryToken = run.tokens.at(static_cast<std::size_t>(found.onPrompt.query));
    found.keyToken = run.tokens.at(static_cast<std::size_t>(found.key));
    // What the weights say goes through the whole vocabulary, from the cheapest answer to the dearest.
    found.written = orThrow(analyses::tokensWritten(run, head, found.keyToken, kHeadWords, hooks));
    onPart(found);
    found.sought = orThrow(analyses::keysPreferred(run, head, found.queryToken, kHeadWords, hooks));
    onPart(found);
    found.copying = orThrow(analyses::copyingScore(run, head, hooks));
    return found;
}

}  // namespace hs::service
