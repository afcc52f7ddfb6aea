#pragma once

#include "base/work_queue.h"

#include <QObject>

#include <functional>
#include <map>
#include <memory>

namespace hs::control {

/// Work for the screen that takes longer than a frame: done on a thread of its own, and handed over when
/// it is there. What is asked for replaces what waits under the same key, so that the last is always done,
/// a control that moves starves nothing and no more waits than there are keys. Work that throws hands over
/// nothing. A child of who takes the results. For the UI thread.
class LateWork : public QObject {
    Q_OBJECT

public:
    using Take = std::function<void()>;

    explicit LateWork(QObject* parent);
    /// What is under way is finished first.
    ~LateWork() override;

    /// `work` is called on the other thread; what it returns is called on this one.
    void ask(std::function<Take()> work, int key = 0);
    /// What was asked for so far is not handed over any more.
    void cancel();
    /// Whether what was asked for last, under each key, was handed over.
    bool isDone() const { return m_pending.empty(); }
    /// Whether that holds for all the work of an object and of what is below it.
    static bool isDoneIn(const QObject& object);

private:
    int m_asked = 0;               // serial numbers
    int m_cancelled = 0;           // up to here
    std::map<int, int> m_pending;  // by key, the last one asked for
    std::unique_ptr<WorkQueue> m_queue;
};

}  // namespace hs::control
