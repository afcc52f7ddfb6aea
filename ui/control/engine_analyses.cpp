#include "control/engine_backend.h"

#include "control/engine_request.h"
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

Logits logitsOf(const SideRequest& request, const RunRequest& run, const LogitChoice& choice, Engine& engine,
                const Hooks& hooks)
{
    Logits logits;
    if (!choice.versus.empty())
        logits.versus = tokenOf(request, choice.versus);
    if (!choice.target.empty())
        logits.target = tokenOf(request, choice.target);
    else
        logits.target = orThrow(engine.run(run, hooks)).predictions.at(0).token;
    return logits;
}

}  // namespace

Result<Attribution> EngineBackend::attribute(const SideRequest& request, const LogitChoice& choice,
                                             const Hooks& hooks)
{
    return guarded([&] {
        Engine engine;
        const RunRequest run = engineRequest(request).run;
        const Logits logits = logitsOf(request, run, choice, engine, hooks);
        return orThrow(
            engine.attribute({run, request.position.value_or(-1), logits.target, logits.versus}, hooks));
    });
}

Result<Circuit> EngineBackend::circuit(const SideRequest& request, const std::string& corrupted,
                                       const LogitChoice& choice, double level, const Hooks& hooks)
{
    return guarded([&] {
        if (corrupted.empty())
            fail(ErrorCode::BadRequest,
                 "There is no corrupted prompt to compare with; give one of as many tokens in "
                 "which what the answer needs is missing (--corrupt).");
        Engine engine;
        SideRequest other = request;
        other.prompt = corrupted;
        other.tokenIds.clear();
        const RunRequest run = engineRequest(request).run;
        const Logits logits = logitsOf(request, run, choice, engine, hooks);
        return orThrow(
            findCircuit(engine, {run, engineRequest(other).run, logits.target, logits.versus, level}, hooks));
    });
}

}  // namespace hs
