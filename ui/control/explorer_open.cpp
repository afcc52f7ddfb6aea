#include "control/explorer_private.h"

#include <QFileInfo>

#include <algorithm>

namespace hs {
namespace {

/// What to call a model before it is open.
QString shortName(const QString& source)
{
    const QString name = QFileInfo(source).fileName();
    return name.isEmpty() ? source : name;
}

}  // namespace

OpenRequest Explorer::Private::openRequest(Side side) const
{
    const Preferences& chosen = m_owner.m_preferences;
    return {m_owner.m_document.side(side).model, chosen.device, chosen.dtype, chosen.tf32};
}

bool Explorer::Private::hasWantedModel(Side side) const
{
    const Order& order = m_orders[indexOf(side)];
    return order.model && order.opened == openRequest(side);
}

void Explorer::Private::synchroniseModel(Side side, const Orders& known)
{
    const OpenRequest wanted = openRequest(side);
    if (wanted.source.isEmpty())
        return close(side);
    Order& mine = order(side);
    if (mine.openAsked == wanted)
        return;
    if (mine.openAsked != mine.opened)
        m_worker.cancel(openSlot(side));
    const auto open = std::ranges::find_if(
        known, [&](const Order& other) { return other.model && other.opened == wanted; });
    if (open != known.end())
        return adopt(side, wanted, open->model);
    postOpen(side, wanted);
}

void Explorer::Private::close(Side side)
{
    m_worker.cancel(openSlot(side));
    m_worker.cancel(runSlot(side));
    order(side) = {};
    show(side, {});
}

void Explorer::Private::postOpen(Side side, const OpenRequest& request)
{
    Order& mine = order(side);
    mine.openAsked = request;
    mine.runAsked.reset();
    m_worker.cancel(runSlot(side));
    SideState state = m_owner.state(side);
    state.isLoading = true;
    state.isStale = state.run != nullptr;
    state.problem.clear();
    m_worker.post<std::shared_ptr<const OpenModel>>(
        {openSlot(side), Explorer::tr("Loading %1").arg(shortName(request.source)), /*isQuiet=*/false,
         WorkQueue::Running::Cancel},
        [request](Backend& backend, const Hooks& hooks) { return backend.open(request, hooks); },
        [this, side, request](const auto& result) { opened(side, request, result); });
    show(side, state);
}

void Explorer::Private::opened(Side side, const OpenRequest& request,
                               const Result<std::shared_ptr<const OpenModel>>& result)
{
    if (result) {
        raiseNotes(side, **result);
        adopt(side, request, *result);
        synchronise();
        return;
    }
    SideState state = m_owner.state(side);
    state.isLoading = false;
    state.isStale = false;
    state.problem = QString::fromStdString(result.error().message);
    show(side, state);
    raise(result.error());
    m_figures.synchronise();
    m_analyses.synchronise();
}

void Explorer::Private::adopt(Side side, const OpenRequest& request, std::shared_ptr<const OpenModel> model)
{
    Order& mine = order(side);
    if (mine.model != model) {
        m_worker.cancel(runSlot(side));
        mine.runAsked.reset();
    }
    mine.openAsked = request;
    mine.opened = request;
    mine.model = std::move(model);
    SideState state = m_owner.state(side);
    state.isLoading = false;
    state.problem.clear();
    if (!state.run)
        state.model = mine.model;
    show(side, state);
}

void Explorer::Private::raiseNotes(Side side, const OpenModel& model)
{
    const auto& other = order(otherSide(side)).model;
    if (other && other->folder == model.folder)
        return;
    for (const std::string& note : model.notes)
        Q_EMIT m_owner.messageRaised({Message::Kind::Note, QString::fromStdString(note), {}});
}

void Explorer::Private::retry(Side side)
{
    if (hasWantedModel(side) || m_owner.state(side).isLoading)
        return;
    order(side).openAsked.reset();
    synchronise();
}

}  // namespace hs
