#include "base/work_queue.h"

#include <algorithm>
#include <utility>

namespace hs {

WorkQueue::WorkQueue() : m_thread([this](std::stop_token stop) { work(std::move(stop)); }) {}

WorkQueue::~WorkQueue()
{
    m_thread.request_stop();  // before the waiting jobs are dropped, so that none starts
    cancelAll();
    m_thread.join();
}

void WorkQueue::post(int slot, Job job, Running running, Haste haste)
{
    // The replaced job is destroyed, and stop callbacks run, without the lock: both may post.
    std::stop_source toStop(std::nostopstate);
    {
        const std::lock_guard lock(m_mutex);
        const auto waiting = std::ranges::find(m_waiting, slot, &Waiting::slot);
        if (waiting != m_waiting.end()) {
            std::swap(waiting->job, job);
            waiting->haste = haste;
        } else {
            m_waiting.push_back({slot, std::exchange(job, {}), haste});
        }
        if (running == Running::Cancel)
            toStop = stopOf(slot);
    }
    m_changed.notify_one();
    toStop.request_stop();
}

void WorkQueue::cancel(int slot)
{
    std::list<Waiting> dropped;
    std::stop_source toStop(std::nostopstate);
    {
        const std::lock_guard lock(m_mutex);
        const auto waiting = std::ranges::find(m_waiting, slot, &Waiting::slot);
        if (waiting != m_waiting.end())
            dropped.splice(dropped.end(), m_waiting, waiting);
        toStop = stopOf(slot);
    }
    toStop.request_stop();
}

void WorkQueue::cancelAll()
{
    std::list<Waiting> dropped;
    std::vector<Current> toStop;
    {
        const std::lock_guard lock(m_mutex);
        dropped.swap(m_waiting);
        toStop = m_running;
    }
    for (Current& current : toStop)
        current.stop.request_stop();
}

void WorkQueue::giveWay()
{
    while (std::optional<Waiting> urgent = nextUrgent())
        run(*urgent);
}

void WorkQueue::work(std::stop_token stop)
{
    while (std::optional<Waiting> waiting = next(stop))
        run(*waiting);
}

void WorkQueue::run(const Waiting& waiting)
{
    std::stop_token stop;
    {
        const std::lock_guard lock(m_mutex);
        stop = m_running.back().stop.get_token();
    }
    try {
        waiting.job(stop);
    } catch (...) {
        // Dropped: see the class comment.
    }
    const std::lock_guard lock(m_mutex);
    m_running.pop_back();
}

std::optional<WorkQueue::Waiting> WorkQueue::next(std::stop_token stop)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, stop, [this] { return !m_waiting.empty(); });
    if (stop.stop_requested() || m_waiting.empty())
        return std::nullopt;
    return take(m_waiting.begin());
}

std::optional<WorkQueue::Waiting> WorkQueue::nextUrgent()
{
    const std::lock_guard lock(m_mutex);
    const auto urgent = std::ranges::find(m_waiting, Haste::Urgent, &Waiting::haste);
    if (urgent == m_waiting.end() || m_thread.get_stop_token().stop_requested())
        return std::nullopt;
    return take(urgent);
}

/// The job counts as running from here on.
WorkQueue::Waiting WorkQueue::take(std::list<Waiting>::iterator waiting)
{
    Waiting taken = std::move(*waiting);
    m_waiting.erase(waiting);
    m_running.push_back({taken.slot, std::stop_source()});
    return taken;
}

std::stop_source WorkQueue::stopOf(int slot) const
{
    const auto running = std::ranges::find(m_running, slot, &Current::slot);
    return running != m_running.end() ? running->stop : std::stop_source(std::nostopstate);
}

}  // namespace hs
