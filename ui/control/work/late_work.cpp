#include "control/work/late_work.h"

#include "base/failure.h"

#include <algorithm>

namespace hs::control {

LateWork::LateWork(QObject* parent) : QObject(parent), m_queue(std::make_unique<WorkQueue>()) {}

LateWork::~LateWork() = default;

void LateWork::ask(std::function<Take()> work, int key)
{
    m_pending[key] = ++m_asked;
    m_queue->post(key, [this, key, serial = m_asked, work = std::move(work)](std::stop_token) {
        const Result<Take> take = guarded(work);
        QMetaObject::invokeMethod(
            this,
            [this, key, serial, take] {
                if (serial <= m_cancelled)
                    return;
                if (m_pending[key] == serial)
                    m_pending.erase(key);
                if (take)
                    (*take)();
            },
            Qt::QueuedConnection);
    });
}

bool LateWork::isDoneIn(const QObject& object)
{
    const QList<LateWork*> works = object.findChildren<LateWork*>();
    return std::all_of(works.begin(), works.end(), [](const LateWork* work) { return work->isDone(); });
}

void LateWork::cancel()
{
    m_queue->cancelAll();
    m_cancelled = m_asked;
    m_pending.clear();
}

}  // namespace hs::control
