#pragma once

#include "base/work_queue.h"
#include "control/work/activity.h"
#include "service/backend.h"

#include <QObject>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace hs::control {

/// The worker thread as the UI thread sees it: takes tasks, returns their results, and knows what is
/// under way. A result that is older than one already delivered, or no longer wanted, is dropped;
/// nothing is delivered after this object is gone. For the UI thread only.
class Worker : public QObject {
    Q_OBJECT

public:
    struct Task {
        int slot = 0;          // a newer task for the slot replaces the waiting one
        QString stage;         // for Activity
        bool isQuiet = false;  // no activity unless it takes a while
        WorkQueue::Running running = WorkQueue::Running::Finish;
        WorkQueue::Haste haste = WorkQueue::Haste::Urgent;      // Patient: gives way whenever it reports
        std::function<QString(int done, int total)> step = {};  // for Activity
    };
    struct Progress {
        int done = 0;
        int total = 0;
    };
    template <class T>
    using Work = std::function<Result<T>(service::Backend&, const Hooks&)>;
    template <class T>
    using Done = std::function<void(const Result<T>&)>;
    /// Work that passes on results before it is complete.
    template <class T>
    using WorkInParts =
        std::function<Result<T>(service::Backend&, const Hooks&, const std::function<void(T)>& tell)>;
    template <class T>
    using Told = std::function<void(const T&)>;

    explicit Worker(std::unique_ptr<service::Backend> backend);
    /// Cancels the task under way and waits for it.
    ~Worker() override;

    /// `work` is called on the worker thread, `done` later on this one.
    template <class T>
    void post(const Task& task, Work<T> work, Done<T> done);
    /// The same, with `told` called on this thread for every part.
    template <class T>
    void postInParts(const Task& task, WorkInParts<T> work, Told<T> told, Done<T> done);

    /// What was posted to the slot so far no longer delivers anything.
    void cancel(int slot);
    /// Whether the slot's last task has yet to deliver.
    bool isPending(int slot) const;
    /// The progress of the slot's task, if it is the one under way.
    std::optional<Progress> progressOf(int slot) const;
    const Activity& activity() const { return m_activity; }

    /// Has the backend prepare a device before anything else is posted.
    void prepare(const std::string& device);

    /// Releases something large on the worker thread, where freeing its memory delays nobody.
    void dispose(std::shared_ptr<const void> thing);

Q_SIGNALS:
    void activityChanged();

private:
    using Serial = std::int64_t;

    struct Slot {
        Serial posted = 0;
        Serial finished = 0;
        Serial oldestWanted = 0;
        Task task;
    };
    struct Running {
        int slot = 0;
        Serial serial = 0;
        Activity::Clock::time_point since;
        Activity::Clock::time_point reported;
        int first = 0;
        int done = 0;
        int total = 0;
    };

    Serial enter(const Task& task);
    /// Called on behalf of the worker thread.
    void advanced(const Running& running);
    bool finished(int slot, Serial serial);  // whether the result is wanted
    bool isWanted(int slot, Serial serial) const;

    Hooks hooksFor(const Running& start, WorkQueue::Haste haste, std::stop_token stop);
    void emptyBin();
    void refresh();

    std::unique_ptr<service::Backend> m_backend;  // called by the worker thread only
    std::map<int, Slot> m_slots;
    Serial m_lastSerial = 0;
    std::optional<Running> m_running;
    Activity m_activity;
    std::mutex m_binMutex;
    std::vector<std::shared_ptr<const void>> m_bin;
    std::unique_ptr<WorkQueue> m_queue;  // last: its thread uses everything else
};

template <class T>
void Worker::post(const Task& task, Work<T> work, Done<T> done)
{
    postInParts<T>(
        task,
        [work = std::move(work)](service::Backend& backend, const Hooks& hooks, const auto&) {
            return work(backend, hooks);
        },
        {}, std::move(done));
}

template <class T>
void Worker::postInParts(const Task& task, WorkInParts<T> work, Told<T> told, Done<T> done)
{
    const Serial serial = enter(task);
    const int slot = task.slot;
    auto job = [this, slot, serial, isQuiet = task.isQuiet, haste = task.haste, work = std::move(work),
                told = std::move(told), done = std::move(done)](std::stop_token stop) {
        const auto now = Activity::Clock::now();
        const Running start{slot, serial, now, now};
        if (!isQuiet)
            QMetaObject::invokeMethod(this, [this, start] { advanced(start); }, Qt::QueuedConnection);
        const auto tell = [&](T part) {
            auto deliver = [this, slot, serial, told, part = std::move(part)] {
                if (isWanted(slot, serial))
                    told(part);
            };
            QMetaObject::invokeMethod(this, std::move(deliver), Qt::QueuedConnection);
        };
        const auto attempt = [&]() -> Result<T> {
            try {
                return work(*m_backend, hooksFor(start, haste, stop), tell);
            } catch (...) {
                return currentError();
            }
        };
        auto deliver = [this, slot, serial, done, result = attempt()] {
            if (finished(slot, serial))
                done(result);
        };
        QMetaObject::invokeMethod(this, std::move(deliver), Qt::QueuedConnection);
    };
    m_queue->post(slot, std::move(job), task.running, task.haste);
}

}  // namespace hs::control
