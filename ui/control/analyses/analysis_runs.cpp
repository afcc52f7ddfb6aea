#include "control/analyses/analysis_runs.h"

#include "render/translate.h"

#include <algorithm>

namespace hs::control {
namespace {

constexpr std::size_t kMostKept = 48;

/// Whether a result, which may come from a file, matches the request's kind and its model's shape.
bool isOf(const service::AnalysisResult& result, const service::AnalysisRequest& request)
{
    const HeadShape& shape = request.side.model->heads;
    if (const auto* const sweep = std::get_if<analyses::Sweep>(&result))
        return request.kind == service::AnalysisKind::Sweep && sweep->shape == shape;
    if (const auto* const circuit = std::get_if<analyses::Circuit>(&result))
        return request.kind == service::AnalysisKind::Circuit && circuit->shape == shape;
    return result.index() == static_cast<std::size_t>(request.kind);
}

QString stageOf(service::AnalysisKind kind)
{
    switch (kind) {
    case service::AnalysisKind::Sweep: return tr("Sweeping heads");
    case service::AnalysisKind::Circuit: return tr("Finding the circuit");
    case service::AnalysisKind::Attribution: return tr("Attributing the logit");
    case service::AnalysisKind::Scatter: return tr("Correlating heads");
    case service::AnalysisKind::Compare: return tr("Comparing the models");
    case service::AnalysisKind::Flow: return tr("Following the flow");
    case service::AnalysisKind::Graph: return tr("Attributing to features");
    case service::AnalysisKind::Prompts: return tr("Running the set of prompts");
    case service::AnalysisKind::Lens: return tr("Reading every layer");
    case service::AnalysisKind::Saliency: return tr("Weighing the tokens");
    case service::AnalysisKind::HeadWords: return tr("Asking a head's weights");
    case service::AnalysisKind::History: return tr("Running the steps of the training");
    case service::AnalysisKind::EdgeHeads: break;
    }
    return tr("Finding the heads of an edge");
}

}  // namespace

AnalysisRuns::AnalysisRuns(Worker& worker, int firstSlot, Wanted wanted)
    : m_worker(worker), m_firstSlot(firstSlot), m_wanted(std::move(wanted))
{
    connect(&m_worker, &Worker::activityChanged, this, &AnalysisRuns::refreshProgress);
}

bool AnalysisRuns::isLive(service::AnalysisKind kind)
{
    return kind != service::AnalysisKind::Sweep && kind != service::AnalysisKind::Circuit &&
           kind != service::AnalysisKind::Prompts && kind != service::AnalysisKind::History;
}

AnalysisRuns::Entry& AnalysisRuns::entry(service::AnalysisKind kind, Side side)
{
    return m_entries[static_cast<std::size_t>(kind)][indexOf(side)];
}

const AnalysisState& AnalysisRuns::state(service::AnalysisKind kind, Side side) const
{
    return m_entries[static_cast<std::size_t>(kind)][indexOf(side)].state;
}

bool AnalysisRuns::isRunning(service::AnalysisKind kind) const
{
    return std::ranges::any_of(kSides, [&](Side side) { return state(kind, side).isRunning; });
}

int AnalysisRuns::slotOf(service::AnalysisKind kind, Side side) const
{
    return m_firstSlot + 2 * static_cast<int>(kind) + static_cast<int>(indexOf(side));
}

void AnalysisRuns::setWatched(service::AnalysisKind kind, bool isWatched, const void* watcher)
{
    auto& watchers = m_watchers[static_cast<std::size_t>(kind)];
    const bool isChange = isWatched ? watchers.insert(watcher).second : watchers.erase(watcher) > 0;
    if (!isChange)
        return;
    for (const Side side : kSides)
        synchronise(kind, side);
}

void AnalysisRuns::synchronise()
{
    for (const service::AnalysisKind kind : service::kAnalyses)
        for (const Side side : kSides) {
            std::optional<service::AnalysisRequest> wanted = m_wanted(kind, side);
            if (wanted == entry(kind, side).wanted)
                continue;  // most edits change nothing here: they must cost nothing
            entry(kind, side).wanted = std::move(wanted);
            synchronise(kind, side);
        }
}

void AnalysisRuns::synchronise(service::AnalysisKind kind, Side side)
{
    const std::optional<service::AnalysisRequest> wanted = m_wanted(kind, side);
    Entry& mine = entry(kind, side);
    AnalysisState state = mine.state;
    if (!wanted) {
        m_worker.cancel(slotOf(kind, side));
        mine.asked.reset();
        mine.tried.reset();
        state.isRunning = false;
        state.isOutdated = state.finding != nullptr;
        state.problem.clear();
        return update(kind, side, state);
    }
    if (auto result = known(*wanted)) {
        const bool isShown =
            state.finding && state.finding->result == result && state.finding->request == *wanted;
        return show(kind, side,
                    isShown ? state.finding
                            : std::make_shared<const Finding>(Finding{*wanted, std::move(result)}));
    }
    if (mine.tried != wanted && !state.isRunning)
        state.problem.clear();
    state.isOutdated = state.finding && state.finding->request != *wanted;
    update(kind, side, state);
    if (isLive(kind) && !m_watchers[static_cast<std::size_t>(kind)].empty() && mine.asked != wanted &&
        mine.tried != wanted)
        run(kind, side, *wanted);
}

void AnalysisRuns::start(service::AnalysisKind kind)
{
    bool hasModel = false;
    for (const Side side : kSides) {
        const std::optional<service::AnalysisRequest> wanted = m_wanted(kind, side);
        if (!wanted)
            continue;
        hasModel = true;
        if (!known(*wanted))
            run(kind, side, *wanted);
        else
            synchronise(kind, side);
    }
    if (hasModel)
        return;
    AnalysisState state = entry(kind, Side::Left).state;
    state.problem = tr("There is no model to look into; open one in the Model menu.");
    update(kind, Side::Left, state);
}

void AnalysisRuns::run(service::AnalysisKind kind, Side side, const service::AnalysisRequest& request)
{
    Entry& mine = entry(kind, side);
    AnalysisState state = mine.state;
    state.problem = QString::fromStdString(service::problemOf(request));
    if (!state.problem.isEmpty()) {
        m_worker.cancel(slotOf(kind, side));
        mine.asked.reset();
        mine.tried = request;
        state.isRunning = false;
        return update(kind, side, state);
    }
    mine.asked = request;
    m_worker.postInParts<service::AnalysisResult>(
        {slotOf(kind, side), stageOf(kind), /*isQuiet=*/isLive(kind), WorkQueue::Running::Cancel,
         WorkQueue::Haste::Patient},
        [request](service::Backend& backend, const Hooks& hooks, const service::OnAnalysisPart& onPart) {
            return backend.analyse(request, hooks, onPart);
        },
        [this, kind, side, request](const service::AnalysisResult& part) {
            show(kind, side,
                 std::make_shared<const Finding>(Finding{
                     request, std::make_shared<const service::AnalysisResult>(part), /*isPartial=*/true}));
        },
        [this, kind, side, request](const Result<service::AnalysisResult>& result) {
            arrived(kind, side, request, result);
        });
    state.isRunning = true;
    state.done = state.total = 0;
    update(kind, side, state);
}

void AnalysisRuns::arrived(service::AnalysisKind kind, Side side, const service::AnalysisRequest& request,
                           const Result<service::AnalysisResult>& result)
{
    Entry& mine = entry(kind, side);
    mine.asked.reset();
    mine.tried = request;
    AnalysisState state = mine.state;
    state.isRunning = false;
    state.problem.clear();
    if (!result && result.error().code != ErrorCode::Cancelled)
        state.problem = QString::fromStdString(result.error().message);
    update(kind, side, state);
    if (!result)
        return;
    auto shared = std::make_shared<const service::AnalysisResult>(*result);
    keep(request, shared);
    show(kind, side, std::make_shared<const Finding>(Finding{request, std::move(shared)}));
    for (const Side each : kSides)  // the other one may have asked the same
        synchronise(kind, each);
}

/// A complete finding makes a run under way needless; a partial one comes from that run.
void AnalysisRuns::show(service::AnalysisKind kind, Side side, std::shared_ptr<const Finding> finding)
{
    Entry& mine = entry(kind, side);
    AnalysisState state = mine.state;
    const std::optional<service::AnalysisRequest> wanted = m_wanted(kind, side);
    state.isOutdated = wanted != finding->request;
    if (!finding->isPartial && mine.asked) {
        m_worker.cancel(slotOf(kind, side));
        mine.asked.reset();
        state.isRunning = false;
    }
    if (!finding->isPartial)
        state.problem.clear();
    state.finding = std::move(finding);
    update(kind, side, state);
}

void AnalysisRuns::stop(service::AnalysisKind kind)
{
    for (const Side side : kSides)
        stop(kind, side);
}

void AnalysisRuns::stop(service::AnalysisKind kind, Side side)
{
    Entry& mine = entry(kind, side);
    if (!mine.asked)
        return;
    m_worker.cancel(slotOf(kind, side));
    mine.tried = std::exchange(mine.asked, std::nullopt);
    AnalysisState state = mine.state;
    state.isRunning = false;
    update(kind, side, state);
}

void AnalysisRuns::update(service::AnalysisKind kind, Side side, AnalysisState state)
{
    AnalysisState& shown = entry(kind, side).state;
    if (shown == state)
        return;
    const AnalysisState old = std::exchange(shown, std::move(state));
    Q_EMIT changed(kind);
    if (old.finding != shown.finding)
        m_worker.dispose(old.finding);
}

void AnalysisRuns::refreshProgress()
{
    for (const service::AnalysisKind kind : service::kAnalyses)
        for (const Side side : kSides) {
            AnalysisState state = this->state(kind, side);
            const auto progress = m_worker.progressOf(slotOf(kind, side));
            if (!state.isRunning || !progress)
                continue;
            state.done = progress->done;
            state.total = progress->total;
            update(kind, side, state);
        }
}

std::shared_ptr<const service::AnalysisResult>
AnalysisRuns::known(const service::AnalysisRequest& request) const
{
    const auto found = std::ranges::find(m_kept, service::keyOf(request), &KeptResult::key);
    const bool isThere = found != m_kept.end() && isOf(*found->result, request);
    return isThere ? found->result : nullptr;
}

void AnalysisRuns::keep(const service::AnalysisRequest& request,
                        std::shared_ptr<const service::AnalysisResult> result)
{
    const std::string key = service::keyOf(request);
    std::erase_if(m_kept, [&](const KeptResult& other) { return other.key == key; });
    m_kept.push_back({key, std::move(result)});
    if (m_kept.size() > kMostKept)
        m_kept.pop_front();
}

std::vector<KeptResult> AnalysisRuns::kept() const
{
    std::vector<KeptResult> results;
    for (const service::AnalysisKind kind : {service::AnalysisKind::Sweep, service::AnalysisKind::Circuit})
        for (const Side side : kSides)
            if (const auto& finding = state(kind, side).finding; finding && !finding->isPartial)
                results.push_back({service::keyOf(finding->request), finding->result});
    return results;
}

void AnalysisRuns::restore(const std::vector<KeptResult>& results)
{
    for (const KeptResult& result : results) {
        std::erase(m_kept, result);
        m_kept.push_back(result);
    }
    for (const service::AnalysisKind kind : service::kAnalyses)
        for (const Side side : kSides)
            synchronise(kind, side);
}

}  // namespace hs::control
