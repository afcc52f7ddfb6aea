#include "control/late_work.h"

#include "base/failure.h"

#include <algorithm>

namespace hs {
namespace {

constexpr int kSlot = 0;

}  // namespace

LateWork::LateWork(QObject* parent) : QObject(parent), m_queue(std::make_unique<WorkQueue>()) {}

LateWork::~LateWork() = default;

void LateWork::ask(std::function<Take()> work)
{
    m_queue->post(kSlot, [this, serial = ++m_asked, work = std::move(work)](std::stop_token) {
        const Result<Take> take = guarded(work);
        QMetaObject::invokeMethod(
            this,
            [this, serial, take] {
                if (serial <= m_done)
                    return;
                m_done = serial;
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
    m_queue->cancel(kSlot);
    m_done = m_asked;
}

}  // namespace hs
