#include "control/explorer/generation_runs.h"

#include <algorithm>

namespace hs::control {
namespace {

constexpr std::uint64_t kStepBytes = std::uint64_t{128} << 20;  // a side's steps may take that much

/// About what a run's tiles and their smaller copies take.
std::uint64_t stepBytes(const SideRun& run)
{
    const std::uint64_t tiles = run.after.tileCells() * static_cast<std::uint64_t>(run.after.heads.total());
    return (run.request.isChanged() ? 4 : 3) * tiles;
}

QString tokenUnderWay(int done, int total)
{
    return GenerationRuns::tr("token %1 of %2").arg(std::min(done + 1, total - 1)).arg(total - 1);
}

}  // namespace

void GenerationRuns::start(const Requests& requests, const service::GenerationSetup& setup)
{
    for (const Side side : kSides) {
        drop(side);
        m_sides[indexOf(side)].request = requests[indexOf(side)];
        if (requests[indexOf(side)])
            post(side, setup);
    }
    Q_EMIT changed();
}

void GenerationRuns::post(Side side, const service::GenerationSetup& setup)
{
    Writing& mine = m_sides[indexOf(side)];
    mine.isRunning = true;
    m_worker.postInParts<News>(
        {slotOf(side), tr("Generating with %1").arg(QString::fromStdString(mine.request->model->title)),
         /*isQuiet=*/false, WorkQueue::Running::Cancel, WorkQueue::Haste::Patient, tokenUnderWay},
        [side, request = *mine.request, setup](service::Backend& backend, const Hooks& hooks,
                                               const auto& tell) {
            return guarded([&] {
                const auto onStep = [&](service::SideResult step) {
                    const Tokens tokens = step.request.generated;
                    tell({tokens, std::make_shared<const SideRun>(std::move(step))});
                };
                return News{orThrow(backend.generate(side, request, setup, hooks, onStep)).tokens, nullptr};
            });
        },
        [this, side](const News& news) { told(side, news); },
        [this, side](const Result<News>& result) { ended(side, result); });
}

void GenerationRuns::told(Side side, const News& news)
{
    Writing& mine = m_sides[indexOf(side)];
    mine.tokens = news.tokens;
    mine.steps.push_back(news.step);
    mine.bytes += stepBytes(*news.step);
    while (mine.bytes > kStepBytes && mine.steps.size() > 1) {
        mine.bytes -= stepBytes(*mine.steps.front());
        m_worker.dispose(std::move(mine.steps.front()));
        mine.steps.pop_front();
    }
    Q_EMIT changed();
}

void GenerationRuns::ended(Side side, const Result<News>& result)
{
    Writing& mine = m_sides[indexOf(side)];
    mine.isRunning = false;
    if (result)
        mine.tokens = result->tokens;
    else if (result.error().code != ErrorCode::Cancelled)
        Q_EMIT failed(result.error());
    if (!isRunning())
        Q_EMIT finished();
    Q_EMIT changed();
}

void GenerationRuns::stop()
{
    if (!isRunning())
        return;
    for (const Side side : kSides) {
        m_worker.cancel(slotOf(side));
        m_sides[indexOf(side)].isRunning = false;
    }
    Q_EMIT finished();
    Q_EMIT changed();
}

void GenerationRuns::follow(const Requests& requests)
{
    const bool wasRunning = isRunning();
    for (const Side side : kSides) {
        const Writing& mine = m_sides[indexOf(side)];
        if (!mine.request)
            continue;
        const auto isSame = [&](const auto& request) {
            return request && request->hasSameInput(*mine.request);
        };
        if (mine.isRunning ? !isSame(requests[indexOf(side)]) : std::ranges::none_of(requests, isSame))
            drop(side);
    }
    if (wasRunning && !isRunning())
        Q_EMIT changed();
}

bool GenerationRuns::isRunning() const
{
    return std::ranges::any_of(m_sides, &Writing::isRunning);
}

std::shared_ptr<const SideRun> GenerationRuns::find(const service::SideRequest& request) const
{
    for (const Writing& writing : m_sides)
        for (const auto& step : writing.steps)
            if (step->request == request)
                return step;
    return nullptr;
}

void GenerationRuns::drop(Side side)
{
    m_worker.cancel(slotOf(side));
    for (std::shared_ptr<const SideRun>& step : m_sides[indexOf(side)].steps)
        m_worker.dispose(std::move(step));
    m_sides[indexOf(side)] = {};
}

}  // namespace hs::control
