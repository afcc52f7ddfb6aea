#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace hs {

/// One thread that works through jobs, oldest slot first. A slot holds one waiting job at most: a
/// newer one replaces it, in the older one's place, so that the last request of a slot is always
/// done and memory does not grow with what is asked. Posting and cancelling are for any thread, jobs
/// included. Jobs deliver their own results and errors: an exception that leaves one is dropped.
class WorkQueue {
public:
    using Job = std::function<void(std::stop_token)>;

    /// What happens to a job of the same slot that is running.
    enum class Running { Finish, Cancel };

    WorkQueue();
    /// Asks the running job to stop, drops the waiting ones and waits for the thread.
    ~WorkQueue();
    WorkQueue(const WorkQueue&) = delete;
    WorkQueue& operator=(const WorkQueue&) = delete;

    void post(int slot, Job job, Running running = Running::Finish);
    /// Drops the slot's waiting job and asks its running one to stop.
    void cancel(int slot);
    void cancelAll();

private:
    struct Waiting {
        int slot = 0;
        Job job;
    };

    void work(std::stop_token stop);
    std::optional<Waiting> next(std::stop_token stop);

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::list<Waiting> m_waiting;  // oldest slot first
    std::optional<int> m_runningSlot;
    std::stop_source m_runningStop;
    std::jthread m_thread;  // last: starts when everything else is there
};

}  // namespace hs
