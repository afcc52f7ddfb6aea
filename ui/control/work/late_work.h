#pragma once

#include "base/work_queue.h"

#include <QObject>

#include <functional>
#include <map>
#include <memory>

namespace hs::control {

/// Work for the screen that takes longer than a frame: done on a thread of its own, and handed over when
/// finished. A request replaces the one waiting under the same key, so that the last is always done, a
/// moving control starves nothing, and no more requests wait than there are keys. Work that throws hands
/// over nothing. A child of the object that takes the results. For the UI thread.
class LateWork : public QObject {
    Q_OBJECT

public:
    using Take = std::function<void()>;

    explicit LateWork(QObject* parent);
    /// Finishes what is under way first.
    ~LateWork() override;

    /// `work` is called on the other thread; what it returns is called on this one.
    void ask(std::function<Take()> work, int key = 0);
    /// Results of earlier requests are no longer handed over.
    void cancel();
    /// Whether the last request under each key was handed over.
    bool isDone() const { return m_pending.empty(); }
    /// Whether that holds for all work below an object.
    static bool isDoneIn(const QObject& object);

private:
    int m_asked = 0;               // serial numbers
    int m_cancelled = 0;           // up to here
    std::map<int, int> m_pending;  // by key, the last request
    std::unique_ptr<WorkQueue> m_queue;
};

}  // namespace hs::control
