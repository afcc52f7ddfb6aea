#pragma once

#include "base/work_queue.h"

#include <QObject>

#include <functional>
#include <memory>

namespace hs {

/// Work for the screen that takes longer than a frame: done on a thread of its own, and handed over when
/// it is there. What is asked for replaces what waits, so that the last is always done and a control that
/// moves starves nothing. A child of who takes the results. For the UI thread.
class LateWork : public QObject {
    Q_OBJECT

public:
    using Take = std::function<void()>;

    explicit LateWork(QObject* parent);
    /// What is under way is finished first.
    ~LateWork() override;

    /// `work` is called on the other thread; what it returns is called on this one.
    void ask(std::function<Take()> work);
    /// What was asked for so far is not handed over any more.
    void cancel();
    /// Whether what was asked for last was handed over.
    bool isDone() const { return m_done == m_asked; }
    /// Whether that holds for all the work of an object and of what is below it.
    static bool isDoneIn(const QObject& object);

private:
    int m_asked = 0;
    int m_done = 0;
    std::unique_ptr<WorkQueue> m_queue;
};

}  // namespace hs
