#include "control/explorer/side_runs.h"

#include "control/document/document_requests.h"
#include "service/far_source.h"

#include "control/work/worker.h"

#include <QFileInfo>

#include <algorithm>

namespace hs::control {
namespace {

/// What to call a model before it is open.
QString shortName(const QString& source)
{
    const QString name = QFileInfo(source).fileName();
    return name.isEmpty() ? source : name;
}

QString tensorsRead(int done, int total)
{
    return SideRuns::tr("%1 of %2 tensors").arg(done).arg(total);
}

/// Where a run of `layers` layers is; with ablations on a new prompt it goes through them twice.
QString layerUnderWay(int layers, int done, int total)
{
    if (done >= total)
        return SideRuns::tr("reading predictions");
    const QString layer = SideRuns::tr("layer %1 of %2").arg(done % layers + 1).arg(layers);
    return done < layers ? layer : SideRuns::tr("%1 before ablation").arg(layer);
}

QString promptsDone(int done, int total)
{
    return SideRuns::tr("%1 of %2 prompts").arg(done).arg(total);
}

std::shared_ptr<const SideRun> pictured(service::SideResult result)
{
    return std::make_shared<const SideRun>(std::move(result));
}

}  // namespace

SideRuns::SideRuns(Worker& worker, int firstSlot) : m_worker(worker), m_firstSlot(firstSlot) {}

std::shared_ptr<const service::OpenModel> SideRuns::model(Side side) const
{
    const Order& mine = m_orders[indexOf(side)];
    return mine.opened == mine.wanted ? mine.model : nullptr;
}

void SideRuns::open(const std::array<service::OpenRequest, 2>& wanted)
{
    const Orders known = m_orders;
    for (const Side side : kSides)
        order(side).wanted = wanted[indexOf(side)];
    for (const Side side : kSides)
        open(side, known);
}

void SideRuns::open(Side side, const Orders& known)
{
    const Order& mine = order(side);
    if (mine.wanted.source.empty())
        return close(side);
    if (mine.openAsked == mine.wanted)
        return;
    if (mine.openAsked != mine.opened)
        m_worker.cancel(openSlot(side));
    const auto open = std::ranges::find_if(
        known, [&](const Order& other) { return other.model && other.opened == mine.wanted; });
    if (open != known.end())
        return adopt(side, mine.wanted, open->model);
    postOpen(side);
}

void SideRuns::close(Side side)
{
    m_worker.cancel(openSlot(side));
    m_worker.cancel(runSlot(side));
    order(side) = {};
    show(side, {});
}

void SideRuns::postOpen(Side side)
{
    Order& mine = order(side);
    mine.openAsked = mine.wanted;
    mine.runAsked.reset();
    m_worker.cancel(runSlot(side));
    SideState state = this->state(side);
    state.isLoading = true;
    state.problem.clear();
    outdate(state);
    m_worker.post<std::shared_ptr<const service::OpenModel>>(
        {openSlot(side), tr("Loading %1").arg(shortName(QString::fromStdString(mine.wanted.source))),
         /*isQuiet=*/false, WorkQueue::Running::Cancel, WorkQueue::Haste::Urgent, tensorsRead},
        [request = mine.wanted](service::Backend& backend, const Hooks& hooks) {
            return backend.open(request, hooks);
        },
        [this, side, request = mine.wanted](const auto& result) { opened(side, request, result); });
    show(side, state);
}

void SideRuns::opened(Side side, const service::OpenRequest& request,
                      const Result<std::shared_ptr<const service::OpenModel>>& result)
{
    // By "auto" it is opened on what still works; a GPU that was named stays lost.
    if (!result && result.error().code == ErrorCode::DeviceLost && request.device == "auto")
        return reopen(result.error());
    if (result) {
        tellNotes(side, **result);
        adopt(side, request, *result);
    } else {
        SideState state = this->state(side);
        state.isLoading = false;
        state.isStale = false;
        state.part.reset();
        state.problem = QString::fromStdString(result.error().message);
        show(side, state);
        Q_EMIT failed(result.error());
    }
    Q_EMIT arrived();
}

void SideRuns::adopt(Side side, const service::OpenRequest& request,
                     std::shared_ptr<const service::OpenModel> model)
{
    Order& mine = order(side);
    if (mine.model != model) {
        m_worker.cancel(runSlot(side));
        mine.runAsked.reset();
    }
    mine.openAsked = request;
    mine.opened = request;
    mine.model = std::move(model);
    SideState state = this->state(side);
    state.isLoading = false;
    state.problem.clear();
    if (state.part && state.part->request.model != mine.model)
        state.part.reset();
    if (!state.run)
        state.model = mine.model;
    show(side, state);
}

void SideRuns::tellNotes(Side side, const service::OpenModel& model)
{
    const auto& other = order(otherSide(side)).model;
    const auto& before = order(side).model;
    const bool isOtherBlock = before && !model.blocks.empty() && before->blocks == model.blocks;
    if (isOtherBlock || (other && other->folder == model.folder))
        return;
    for (const std::string& note : model.notes)
        Q_EMIT noted(QString::fromStdString(note));
}

void SideRuns::run(Side side, const Document& document, const Known& known)
{
    if (const auto open = model(side))
        run(side, sideRequest(document, side, open), known);
}

void SideRuns::run(Side side, const service::SideRequest& request, const Known& known)
{
    Order& mine = order(side);
    if (mine.runAsked == request)
        return;
    SideState state = this->state(side);
    state.problem.clear();
    const std::shared_ptr<const SideRun> same = known(request);
    if (same || !request.hasPrompt()) {
        m_worker.cancel(runSlot(side));
        mine.runAsked = request;
        state.isStale = false;
        state.part.reset();
        if (same) {
            state.run = same;
            state.model = request.model;
        } else {
            state.problem = tr("There is no prompt. Type some text to see its heads.");
        }
    } else {
        // A run that may finish goes on telling its parts.
        if (!state.part || !mine.runAsked || !mine.runAsked->hasSameInput(request))
            outdate(state);
        postRun(side, request);
    }
    show(side, state);
}

void SideRuns::postRun(Side side, const service::SideRequest& request)
{
    Order& mine = order(side);
    // Here it is sooner done than begun anew; of a run on another machine, what is left to send is saved.
    const bool mayFinish = mine.runAsked && mine.runAsked->hasSameInput(request) &&
                           !service::farSource(request.model->request.source);
    mine.runAsked = request;
    const QString stage = request.view ? tr("Averaging %1") : tr("Running %1");
    m_worker.postInParts<std::shared_ptr<const SideRun>>(
        {runSlot(side), stage.arg(QString::fromStdString(request.model->title)), /*isQuiet=*/false,
         mayFinish ? WorkQueue::Running::Finish : WorkQueue::Running::Cancel,
         request.view ? WorkQueue::Haste::Patient : WorkQueue::Haste::Urgent,
         [layers = request.model->heads.layers, isSet = request.view.has_value()](int done, int total) {
             return isSet ? promptsDone(done, total) : layerUnderWay(layers, done, total);
         }},
        [side, request](service::Backend& backend, const Hooks& hooks, const auto& tell) {
            return guarded([&] {
                return pictured(orThrow(backend.run(side, request, hooks, [&](service::SideResult part) {
                    tell(pictured(std::move(part)));
                })));
            });
        },
        [this, side](const auto& part) { ranPart(side, part); },
        [this, side, request](const auto& result) { ran(side, request, result); });
}

void SideRuns::outdate(SideState& state)
{
    if (state.run)
        state.part.reset();
    state.isStale = state.run || state.part;
}

void SideRuns::ranPart(Side side, const std::shared_ptr<const SideRun>& part)
{
    SideState state = this->state(side);
    if (state.model != part->request.model) {
        state.model = part->request.model;
        state.run.reset();
    }
    state.part = part;
    state.isStale = state.run != nullptr;
    show(side, state);
}

void SideRuns::ran(Side side, const service::SideRequest& request,
                   const Result<std::shared_ptr<const SideRun>>& result)
{
    if (!result && result.error().code == ErrorCode::DeviceLost)
        return reopen(result.error());
    const bool isLast = !m_worker.isPending(runSlot(side));
    SideState state = this->state(side);
    state.isStale = !isLast;
    state.part.reset();
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
    // A problem that both sides have is reported once.
    if (!result && isLast && this->state(otherSide(side)).problem != state.problem)
        Q_EMIT failed(result.error());
    Q_EMIT arrived();
}

void SideRuns::reopen(const Error& reason)
{
    for (const Side side : kSides) {
        Order& mine = order(side);
        m_worker.cancel(runSlot(side));
        m_worker.dispose(std::move(mine.model));
        Order fresh;
        fresh.wanted = mine.wanted;
        mine = std::move(fresh);
    }
    Q_EMIT failed(reason);
    Q_EMIT arrived();
}

void SideRuns::retry(Side side)
{
    if (!model(side) && !state(side).isLoading)
        order(side).openAsked.reset();
}

void SideRuns::rerun()
{
    for (const Side side : kSides) {
        if (!model(side)) {
            order(side).openAsked.reset();
            continue;
        }
        const std::optional<service::SideRequest> request = order(side).runAsked;
        if (!request || !request->hasPrompt())
            continue;
        postRun(side, *request);
        SideState state = this->state(side);
        state.problem.clear();
        outdate(state);
        show(side, state);
    }
}

void SideRuns::cancel()
{
    for (const Side side : kSides) {
        m_worker.cancel(openSlot(side));
        m_worker.cancel(runSlot(side));
    }
    for (const Side side : kSides) {
        SideState state = this->state(side);
        if (state.part && state.part->set) {
            auto known = std::make_shared<SideRun>(*state.part);
            known->request.view->isPartial = true;
            known->before = known->after;
            state.problem = tr("Stopped after %1 of %2 prompts. Run again to go on.")
                                .arg(known->set->done)
                                .arg(known->set->count);
            state.run = std::move(known);
        } else if (state.isLoading)
            state.problem = tr("Loading was stopped. Open the model again to go on.");
        else if (model(side) && (!state.run || state.run->request != order(side).runAsked))
            state.problem = tr("The run was stopped. Run again to see the heads of this prompt.");
        state.isLoading = false;
        state.isStale = false;
        state.part.reset();
        show(side, state);
    }
}

void SideRuns::show(Side side, SideState state)
{
    SideState& shown = m_states[indexOf(side)];
    if (shown == state)
        return;
    SideState old = std::exchange(shown, std::move(state));
    SideState withPart = old;
    withPart.part = shown.part;
    if (withPart == shown)
        Q_EMIT partChanged(side);
    else
        Q_EMIT stateChanged(side);
    withPart = {};
    // Last, when nothing here holds them any more.
    m_worker.dispose(std::move(old.part));
    m_worker.dispose(std::move(old.run));
    m_worker.dispose(std::move(old.model));
}

}  // namespace hs::control
