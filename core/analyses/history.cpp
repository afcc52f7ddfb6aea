#include "analyses/history.h"

#include "base/failure.h"

#include <algorithm>
#include <cmath>

namespace hs::analyses {
namespace {

HistoryPoint pointOf(const model::Revision& revision, const RevisionRequest& requestOf, History& history,
                     const Hooks& hooks)
{
    engine::Engine engine;
    engine::RunResult run = orThrow(engine.run(requestOf(revision), {{}, hooks.stop}));
    if (history.points.empty())
        history.heads = run.heads;
    if (run.heads != history.heads)
        fail(ErrorCode::BadFile, "It has other heads than the steps before it.");
    return {revision.step, run.loss, run.density, std::move(run.stats)};
}

/// How far a curve jumps; 0 where nothing changes.
double jumpSize(std::span<const double> curve)
{
    const auto at = jumpOf(curve);
    return at ? std::abs(curve[*at] - curve[*at - 1]) : 0;
}

}  // namespace

Result<History> historyOf(const std::vector<model::Revision>& revisions, const RevisionRequest& requestOf,
                          const Hooks& hooks, const std::function<void(const History&)>& onPart)
{
    return guarded([&] {
        History history;
        history.asked = static_cast<int>(revisions.size());
        for (int done = 0; done < history.asked; ++done) {
            hooks.throwIfCancelled();
            hooks.report(done, history.asked);
            const model::Revision& revision = revisions[static_cast<std::size_t>(done)];
            Result<HistoryPoint> point =
                guarded([&] { return pointOf(revision, requestOf, history, hooks); });
            if (!point && point.error().code == ErrorCode::Cancelled)
                throw Failure(point.error());
            if (point)
                history.points.push_back(std::move(*point));
            else
                history.leftOut.push_back({revision.step, point.error().message});
            if (onPart)
                onPart(history);
        }
        if (history.points.empty())
            fail(ErrorCode::BadFile,
                 history.leftOut.empty()
                     ? "There is no other step of this training; open a folder with a model "
                       "for each step, such as checkpoint-500 and checkpoint-1000."
                     : history.leftOut.front().problem);
        return history;
    });
}

std::vector<double> curveOf(const History& history, HeadId head, const stats::Metric& metric)
{
    std::vector<double> curve;
    for (const HistoryPoint& point : history.points)
        curve.push_back(metric.of(point.stats[history.heads.indexOf(head)]));
    return curve;
}

std::optional<std::size_t> jumpOf(std::span<const double> curve)
{
    std::optional<std::size_t> at;
    double largest = 0;
    for (std::size_t point = 1; point < curve.size(); ++point)
        if (const double change = std::abs(curve[point] - curve[point - 1]); change > largest) {
            largest = change;
            at = point;
        }
    return at;
}

std::vector<HeadJump> mostChanged(const History& history, const stats::Metric& metric)
{
    std::vector<HeadJump> jumps;
    for (const HeadId head : history.heads.all())
        if (const double change = jumpSize(curveOf(history, head, metric)); change > 0)
            jumps.push_back({head, change});
    std::ranges::stable_sort(jumps, std::ranges::greater(), &HeadJump::change);
    return jumps;
}

}  // namespace hs::analyses
