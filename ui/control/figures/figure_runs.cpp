#include "control/figures/figure_runs.h"

#include <algorithm>

namespace hs::control {
namespace {

bool hasSameContent(const FigureRequest& a, FigureRequest b)
{
    b.spec.form = a.spec.form;
    return a == b;
}

bool isLongWork(FigurePreset preset)
{
    return preset == FigurePreset::Attribution || preset == FigurePreset::Graph ||
           preset == FigurePreset::ExplainedEffect || preset == FigurePreset::History;
}

/// Whether a figure being made is worth waiting for when another is requested: a moving slider must
/// not starve the preview.
bool mayFinish(const FigureRequest& running, const FigureRequest& next)
{
    if (isLongWork(running.spec.preset) || running.spec.preset != next.spec.preset)
        return false;
    return std::ranges::equal(running.sides, next.sides, [](const auto& a, const auto& b) {
        return a.has_value() == b.has_value() && (!a || a->hasSameInput(*b));
    });
}

bool hasModel(const FigureRequest& request)
{
    return std::ranges::any_of(request.sides, [](const auto& side) { return side.has_value(); });
}

}  // namespace

FigureRuns::FigureRuns(Worker& worker, int firstSlot, Wanted wanted)
    : m_worker(worker), m_slot(firstSlot), m_wanted(std::move(wanted))
{
}

void FigureRuns::setWatched(bool isWatched)
{
    m_isWatched = isWatched;
    synchronise();
}

void FigureRuns::synchronise()
{
    if (!m_isWatched)
        return;
    const std::optional<FigureRequest> wanted = m_wanted();
    if (!wanted) {
        // Forgotten, so that it is requested once it is known again.
        m_worker.cancel(m_slot);
        m_asked.reset();
        return show(m_figure, /*isStale=*/true, {});
    }
    if (m_asked && hasSameContent(*m_asked, *wanted))
        return;
    post(*wanted);
}

void FigureRuns::post(const FigureRequest& request)
{
    const bool isLetFinish = m_asked && mayFinish(*m_asked, request);
    m_asked = request;
    if (!hasModel(request)) {
        m_worker.cancel(m_slot);
        return show(nullptr, /*isStale=*/false,
                    tr("There is no model to make a figure of; open one in the Model menu."));
    }
    m_worker.post<Made>(
        {m_slot, tr("Making the figure"), /*isQuiet=*/false,
         isLetFinish ? WorkQueue::Running::Finish : WorkQueue::Running::Cancel},
        [request](service::Backend& backend, const Hooks& hooks) {
            return makeFigure(backend, request, hooks);
        },
        [this](const Result<Made>& result) { arrived(result); });
    show(m_figure, /*isStale=*/true, {});
}

void FigureRuns::arrived(const Result<Made>& result)
{
    const bool isLast = !m_worker.isPending(m_slot);
    if (result)
        show(*result, !isLast, {});
    else if (isLast)
        show(m_figure, /*isStale=*/false, QString::fromStdString(result.error().message));
}

void FigureRuns::remake()
{
    m_asked.reset();
    synchronise();
}

void FigureRuns::cancel()
{
    m_worker.cancel(m_slot);
    m_worker.cancel(m_slot + 1);
    m_uses.clear();
    if (m_isStale)
        show(m_figure, /*isStale=*/false,
             tr("Making the figure was stopped; run again to see it as it is set now."));
}

void FigureRuns::show(Made figure, bool isStale, const QString& problem)
{
    if (figure == m_figure && isStale == m_isStale && problem == m_problem)
        return;
    Made old = std::exchange(m_figure, std::move(figure));
    m_isStale = isStale;
    m_problem = problem;
    Q_EMIT changed();
    if (old != m_figure)
        m_worker.dispose(std::move(old));
}

void FigureRuns::startUse(std::function<void()> start)
{
    m_uses.push_back(std::move(start));
    if (m_uses.size() == 1)
        m_uses.front()();
}

void FigureRuns::finishUse()
{
    m_uses.pop_front();
    if (!m_uses.empty())
        m_uses.front()();
}

}  // namespace hs::control
