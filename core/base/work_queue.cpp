#include "base/work_queue.h"

#include <algorithm>
#include <utility>

namespace hs {

WorkQueue::WorkQueue() : m_thread([this](std::stop_token stop) { work(std::move(stop)); }) {}

WorkQueue::~WorkQueue()
{
    m_thread.request_stop();  // before the waiting jobs go: none of them starts any more
    cancelAll();
    m_thread.join();
}

void WorkQueue::post(int slot, Job job, Running running)
{
    // What is replaced is destroyed, and stop callbacks run, without the lock: both may post.
    std::stop_source toStop(std::nostopstate);
    {
        const std::lock_guard lock(m_mutex);
        const auto waiting = std::ranges::find(m_waiting, slot, &Waiting::slot);
        if (waiting != m_waiting.end())
            std::swap(waiting->job, job);
        else
            m_waiting.push_back({slot, std::exchange(job, {})});
        if (running == Running::Cancel && m_runningSlot == slot)
            toStop = m_runningStop;
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
        if (m_runningSlot == slot)
            toStop = m_runningStop;
    }
    toStop.request_stop();
}

void WorkQueue::cancelAll()
{
    std::list<Waiting> dropped;
    std::stop_source toStop(std::nostopstate);
    {
        const std::lock_guard lock(m_mutex);
        dropped.swap(m_waiting);
        if (m_runningSlot)
            toStop = m_runningStop;
    }
    toStop.request_stop();
}

void WorkQueue::work(std::stop_token stop)
{
    while (const std::optional<Waiting> current = next(stop)) {
        try {
            current->job(m_runningStop.get_token());  // only this thread ever assigns m_runningStop
        } catch (...) {
            // Nobody is left to tell: see the class comment.
        }
    }
}

std::optional<WorkQueue::Waiting> WorkQueue::next(std::stop_token stop)
{
    std::unique_lock lock(m_mutex);
    m_runningSlot.reset();
    m_changed.wait(lock, stop, [this] { return !m_waiting.empty(); });
    if (stop.stop_requested() || m_waiting.empty())
        return std::nullopt;
    Waiting first = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_runningSlot = first.slot;
    m_runningStop = std::stop_source();
    return first;
}

}  // namespace hs
