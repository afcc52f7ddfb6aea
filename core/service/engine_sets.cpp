#include "base/pace.h"
#include "engine/load/model.h"
#include "engine/run/request_check.h"
#include "service/engine_backend.h"
#include "service/engine_request.h"
#include "service/set_view.h"
#include "train/named_prompts.h"

#include <algorithm>

namespace hs::service {
namespace {

constexpr std::uint64_t kMostSums = 1'000'000'000;  // bytes, of a set's maps
constexpr std::size_t kMostSets = 4;                // each side's prompts and averages

/// What a set's results depend on: not on the prompt beside it, nor on how they are shown.
SideRequest withoutPrompt(SideRequest request)
{
    request.prompt.clear();
    request.isChat = false;
    request.tokenIds.clear();
    request.position.reset();
    request.target.clear();
    request.distractor.clear();
    request.view.reset();
    request.tileBytes = 0;
    return request;
}

text::PromptSet openSet(const SetSource& source, const text::Tokenizer* tokenizer)
{
    if (source.given)
        return {source.where, *source.given};
    return train::openPrompts(source.where, text::PromptNeeds::Text, tokenizer, source.pattern);
}

}  // namespace

engine::RunRequest EngineBackend::requestOf(const StudiedSet& work, const text::SetPrompt& prompt,
                                            const Hooks& hooks)
{
    SideRequest one = work.side;
    one.prompt = prompt.text;
    if (!one.patch.empty() && prompt.source)
        one.patch = *prompt.source;
    engine::RunRequest run = runOf(one, {{}, hooks.stop});
    run.capture.topK = 1;
    engine::checkRequest(run);
    return run;
}

void EngineBackend::runSet(StudiedSet& work, const Hooks& hooks, const OnSetPart& onPart)
{
    const text::Tokenizer* const tokenizer = work.side.model->tokenizer.get();
    text::PromptSet set = openSet(work.set, tokenizer);
    const bool hasMaps = work.kind == analyses::SetStudyKind::Averages;
    if (work.overview.count == 0) {
        work.overview = hasMaps ? analyses::overviewOf(set, tokenizer, work.side.hasBos, work.align)
                                : analyses::SetOverview{set.count()};
        work.result.promptCount = work.overview.count;
    }
    engine::Engine engine;  // the side's remembers the run shown
    const analyses::TokenText textOf = [tokenizer](std::int64_t token) {
        return tokenizer ? tokenizer->tokenText(token) : "#" + std::to_string(token);
    };
    analyses::SetStudy study(work.kind, {{&engine, work.side.model->heads, textOf}}, std::move(work.result),
                             work.overview.align, kMostSums);
    Pace pace(m_partInterval);
    const Hooks telling{[&](int done, int total) {
                            hooks.report(done, total);
                            pace.step([&] { onPart(study.result()); });
                        },
                        hooks.stop};
    try {
        while (const std::optional<text::SetPrompt> prompt = set.next()) {
            hooks.throwIfCancelled();
            if (study.result().has(prompt->index))
                continue;
            std::vector<text::LeftOutPrompt> leftOut;
            auto run = text::doneOrLeftOut(*prompt, leftOut, [&] {
                analyses::StudiedPrompt studied{prompt->index, {requestOf(work, *prompt, hooks)}, {}};
                if (hasMaps && work.overview.align == analyses::SetAlign::Slots)
                    studied.cells = analyses::cellsOf(work.overview, *prompt, tokenizer, work.side.hasBos);
                return studied;
            });
            if (run)
                study.add(std::move(*run), telling);
            else
                study.leaveOut(prompt->index, std::move(leftOut.front().problem));
        }
        study.finish(telling);
    } catch (...) {
        work.result = study.take();
        throw;
    }
    work.result = study.take();
}

const analyses::SetResult& EngineBackend::studied(StudiedSet wanted, const Hooks& hooks,
                                                  const OnSetPart& onPart)
{
    const auto known =
        std::ranges::find_if(m_sets, [&](const StudiedSet& set) { return set.isOfSame(wanted); });
    // It is not among the others while it is worked on: what is urgent may need them meanwhile.
    if (known != m_sets.end()) {
        wanted = std::move(*known);
        m_sets.erase(known);
    }
    const auto keep = [&] {
        if (m_sets.size() == kMostSets)
            m_sets.pop_front();
        m_sets.push_back(std::move(wanted));
    };
    if (!wanted.result.isWhole() || wanted.overview.count == 0) {
        try {
            runSet(wanted, hooks, onPart);
        } catch (...) {
            keep();
            throw;
        }
    }
    keep();
    return m_sets.back().result;
}

const analyses::SetResult& EngineBackend::viewed(const SideRequest& request, const Hooks& hooks,
                                                 const OnRunPart& onPart)
{
    StudiedSet wanted{analyses::SetStudyKind::Averages,
                      withoutPrompt(request),
                      request.view->set,
                      request.view->align,
                      {},
                      {}};
    if (request.view->isPartial) {
        const auto known =
            std::ranges::find_if(m_sets, [&](const StudiedSet& set) { return set.isOfSame(wanted); });
        if (known == m_sets.end())
            fail(ErrorCode::NotFound, "What was known of the set is no longer kept; run it again.");
        return known->result;
    }
    return studied(std::move(wanted), hooks, [&](const analyses::SetResult& part) {
        if (!onPart || part.rows.empty())
            return;
        SideResult shown = sideResultOf(request, part);
        shown.before = {};  // which makes it a part
        onPart(std::move(shown));
    });
}

analyses::SetResult EngineBackend::scoresOf(const AnalysisRequest& request, const Hooks& hooks,
                                            const OnAnalysisPart& onPart)
{
    const auto tell = [&](const analyses::SetResult& part) {
        analyses::SetResult brief{part.about, part.promptCount, part.sideCount, {part.groups.front()},
                                  {},         part.rows,        part.leftOut};
        onPart(std::move(brief));
    };
    return studied({analyses::SetStudyKind::Metrics, withoutPrompt(request.side), request.set, {}, {}, {}},
                   hooks, tell);
}

}  // namespace hs::service
