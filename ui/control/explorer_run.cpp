#include "control/explorer_private.h"

#include <algorithm>

namespace hs {

SideRequest Explorer::Private::sideRequest(Side side) const
{
    return hs::sideRequest(m_owner.m_document, side, m_orders[indexOf(side)].model);
}

void Explorer::Private::synchroniseRun(Side side, const Runs& shown)
{
    if (!hasWantedModel(side))
        return;
    Order& mine = order(side);
    const SideRequest request = sideRequest(side);
    if (mine.runAsked == request)
        return;
    SideState state = m_owner.state(side);
    state.problem.clear();
    const auto same =
        std::ranges::find_if(shown, [&](const auto& run) { return run && run->request == request; });
    if (same != shown.end() || !request.hasPrompt()) {
        m_worker.cancel(runSlot(side));
        mine.runAsked = request;
        state.isStale = false;
        if (same != shown.end()) {
            state.run = *same;
            state.model = request.model;
        } else {
            state.problem = Explorer::tr("There is no prompt. Type some text to see its heads.");
        }
    } else {
        postRun(side, request);
        state.isStale = state.run != nullptr;
    }
    show(side, state);
}

void Explorer::Private::postRun(Side side, const SideRequest& request)
{
    Order& mine = order(side);
    const bool mayFinish = mine.runAsked && mine.runAsked->hasSameInput(request);
    mine.runAsked = request;
    m_worker.post<std::shared_ptr<const SideRun>>(
        {runSlot(side), Explorer::tr("Running %1").arg(request.model->title), /*isQuiet=*/false,
         mayFinish ? WorkQueue::Running::Finish : WorkQueue::Running::Cancel},
        [side, request](Backend& backend, const Hooks& hooks) { return backend.run(side, request, hooks); },
        [this, side, request](const auto& result) { ran(side, request, result); });
}

void Explorer::Private::ran(Side side, const SideRequest& request,
                            const Result<std::shared_ptr<const SideRun>>& result)
{
    const bool isLast = !m_worker.isPending(runSlot(side));
    SideState state = m_owner.state(side);
    state.isStale = !isLast;
    if (result) {
        state.model = request.model;
        state.run = *result;
    } else if (isLast) {
        if (state.model != request.model)
            state.run.reset();
        state.model = request.model;
        state.problem = QString::fromStdString(result.error().message);
    }
    show(side, state);
    // What both sides complain about is said once.
    if (!result && isLast && m_owner.state(otherSide(side)).problem != state.problem)
        raise(result.error());
    if (settle())
        synchronise(/*isNew=*/true);
}

void Explorer::Private::rerun()
{
    for (const Side side : kSides) {
        if (!hasWantedModel(side)) {
            order(side).openAsked.reset();
            continue;
        }
        const SideRequest request = sideRequest(side);
        if (!request.hasPrompt())
            continue;
        postRun(side, request);
        SideState state = m_owner.state(side);
        state.problem.clear();
        state.isStale = state.run != nullptr;
        show(side, state);
    }
    m_figures.remake();
    synchronise();
}

void Explorer::Private::cancel()
{
    m_details.cancel();
    m_figures.cancel();
    for (const AnalysisKind kind : kAnalyses)
        m_analyses.stop(kind);
    m_worker.cancelAll();
    for (const Side side : kSides) {
        SideState state = m_owner.state(side);
        if (state.isLoading)
            state.problem = Explorer::tr("Loading was stopped. Open the model again to go on.");
        else if (hasWantedModel(side) && (!state.run || state.run->request != sideRequest(side)))
            state.problem = Explorer::tr("The run was stopped. Run again to see the heads of this prompt.");
        state.isLoading = false;
        state.isStale = false;
        show(side, state);
    }
}

}  // namespace hs
