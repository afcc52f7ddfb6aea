#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace hs {

/// One thread that works through jobs, oldest slot first. A slot holds at most one waiting job: a newer
/// one takes its place in the queue, so that a slot's last request is always done and memory does not
/// grow with the number of requests. Any thread may post and cancel, jobs included. Jobs deliver their
/// own results and errors: an exception that leaves one is dropped.
class WorkQueue {
public:
    using Job = std::function<void(std::stop_token)>;

    /// What happens to a running job of the same slot.
    enum class Running { Finish, Cancel };
    /// Whether a job may run in the middle of a long one that gives way.
    enum class Haste { Patient, Urgent };

    WorkQueue();
    /// Asks the running job to stop, drops the waiting ones and waits for the thread.
    ~WorkQueue();
    WorkQueue(const WorkQueue&) = delete;
    WorkQueue& operator=(const WorkQueue&) = delete;

    void post(int slot, Job job, Running running = Running::Finish, Haste haste = Haste::Urgent);
    /// Drops the slot's waiting job and asks its running one to stop.
    void cancel(int slot);
    void cancelAll();

    /// For a patient job, between its steps: runs urgent jobs that are waiting, and returns. They share
    /// one thread, so what both use needs no lock.
    void giveWay();

private:
    struct Waiting {
        int slot = 0;
        Job job;
        Haste haste = Haste::Urgent;
    };
    struct Current {
        int slot = 0;
        std::stop_source stop;
    };

    void work(std::stop_token stop);
    void run(const Waiting& waiting);
    std::optional<Waiting> next(std::stop_token stop);
    std::optional<Waiting> nextUrgent();
    Waiting take(std::list<Waiting>::iterator waiting);
    std::stop_source stopOf(int slot) const;  // without a state if the slot's job is not running

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::list<Waiting> m_waiting;    // oldest slot first
    std::vector<Current> m_running;  // the current one last, after those that gave way to it
    std::jthread m_thread;           // last: starts when everything else exists
};

}  // namespace hs
