// A side's model writes on.
#include "engine/load/end_tokens.h"
#include "engine/load/model.h"
#include "engine/run/continuation.h"
#include "model/adapter/adapter_files.h"
#include "service/engine_backend.h"
#include "service/engine_request.h"

#include <algorithm>

namespace hs::service {
namespace {

/// Tells each step of a generation as the run of a side.
class SideSteps {
public:
    SideSteps(const SideRequest& request, const GenerationSetup& setup, EngineRequest plan, int count,
              const OnRunPart& onStep)
        : m_request(request), m_setup(setup), m_plan(std::move(plan)), m_count(count), m_onStep(onStep)
    {
    }

    /// Returns whether to go on.
    bool hear(const analyses::GeneratedToken& step, const engine::RunResult& run, const Hooks& hooks)
    {
        m_isWhole = std::ssize(m_written) == m_count;
        if (m_onStep)
            m_onStep(resultOf(step.token, run, hooks));
        if (m_isWhole)
            return false;
        take(step.token.token);
        return m_setup.stop.empty() || m_text.find(m_setup.stop) == std::string::npos;
    }
    /// What was written; `end` is how the generation ended.
    GeneratedText text(analyses::GenerationEnd end) const
    {
        using End = analyses::GenerationEnd;
        return {m_written, !m_isWhole ? end : m_count < m_setup.count ? End::Context : End::Count};
    }

private:
    SideResult resultOf(const engine::Prediction& next, const engine::RunResult& run, const Hooks& hooks)
    {
        SideResult result;
        result.request = atStep(m_request, m_setup.ablateFrom, m_written,
                                m_isWhole ? std::nullopt : std::optional(next.token));
        result.tokens = m_plan.tokens;
        result.after = run;
        m_plan.next.id = result.request.next.value_or(-1);
        if (!m_isWhole)
            result.after.watched.push_back(next);
        result.before = result.request.isChanged() ? plainRun(run, hooks) : result.after;
        result.kinds = kindsOf(result.after);
        result.milliseconds = run.milliseconds;
        readWatched(m_plan, result);
        return result;
    }

    /// The same text with all heads.
    engine::RunResult plainRun(const engine::RunResult& run, const Hooks& hooks)
    {
        engine::RunRequest plain = m_plan.run;
        plain.ablations.clear();
        plain.tokens = run.tokens;
        if (m_plan.next.id >= 0)
            plain.capture.watched.push_back(m_plan.next.id);
        return orThrow(m_plain.run(plain, {}, {{}, hooks.stop})).run;
    }

    void take(std::int64_t id)
    {
        m_written.push_back(id);
        const text::Token token = generatedTokens(m_request.model->tokenizer.get(), {id},
                                                  m_plan.tokens.empty() ? 0 : m_plan.tokens.back().end)
                                      .front();
        m_text += token.text;
        m_plan.tokens.push_back(token);
    }

    const SideRequest& m_request;
    const GenerationSetup& m_setup;
    EngineRequest m_plan;  // its tokens grow, those of its run do not
    int m_count;
    const OnRunPart& m_onStep;
    engine::Continuation m_plain;
    std::vector<std::int64_t> m_written;
    std::string m_text;      // of what was written
    bool m_isWhole = false;  // the last run told is that of the whole text
};

}  // namespace

Result<GeneratedText> EngineBackend::generate(Side /*side*/, const SideRequest& asked,
                                              const GenerationSetup& setup, const Hooks& hooks,
                                              const OnRunPart& onStep)
{
    return guarded([&] {
        SideRequest request = atStep(asked, 0, {}, std::nullopt);
        request.position.reset();
        request.blocks = {};  // those of a text that is there
        if (!request.scales.empty())
            fail(ErrorCode::BadRequest, "Scaled features are those of a text that is there, and a text that "
                                        "grows has others with each token; set them back to 1 first.");
        EngineRequest plan = engineRequest(request);
        patch(plan.run, request, hooks);
        const auto length = static_cast<int>(plan.run.tokens.size());
        const int count = std::max(0, std::min(setup.count, request.model->context - length));
        plan.run.capture.tileSide = tileSideFor(request.model->heads, length + count, request.tileBytes);
        analyses::GenerationRequest order;
        order.run = plan.run;
        order.count = count + 1;  // the last run is of the whole text: what it chooses is not taken
        order.temperature = setup.temperature;
        order.topK = setup.topK;
        order.seed = setup.seed;
        order.ablateFrom = setup.ablateFrom;
        order.endTokens = engine::endTokens(orThrow(model::locateModelBehind(request.model->request.source)));
        SideSteps steps(request, setup, std::move(plan), count, onStep);
        const analyses::Generation generation =
            orThrow(analyses::generate(order, hooks, [&](const auto& step, const engine::RunResult& run) {
                return steps.hear(step, run, hooks);
            }));
        return steps.text(generation.end);
    });
}

}  // namespace hs::service
