#include "control/work/worker.h"

#include <chrono>

namespace hs::control {
namespace {

constexpr int kBinSlot = -1;
constexpr int kPrepareSlot = -2;
constexpr std::chrono::milliseconds kReportInterval{50};

}  // namespace

Worker::Worker(std::unique_ptr<service::Backend> backend)
    : m_backend(std::move(backend)), m_queue(std::make_unique<WorkQueue>())
{
}

Worker::~Worker() = default;

Worker::Serial Worker::enter(const Task& task)
{
    Slot& slot = m_slots[task.slot];
    slot.posted = ++m_lastSerial;
    slot.task = task;
    if (task.running == WorkQueue::Running::Cancel)
        slot.oldestWanted = slot.posted;
    refresh();
    return slot.posted;
}

void Worker::cancel(int slot)
{
    const auto at = m_slots.find(slot);
    if (at == m_slots.end() || !isPending(slot))
        return;
    m_queue->cancel(slot);
    at->second.finished = at->second.posted;
    if (m_running && m_running->slot == slot)
        m_running.reset();
    refresh();
}

bool Worker::isPending(int slot) const
{
    const auto at = m_slots.find(slot);
    return at != m_slots.end() && at->second.posted > at->second.finished;
}

void Worker::prepare(const std::string& device)
{
    m_queue->post(kPrepareSlot, [this, device](std::stop_token) { m_backend->prepare(device); });
}

void Worker::dispose(std::shared_ptr<const void> thing)
{
    if (!thing)
        return;
    {
        const std::lock_guard lock(m_binMutex);
        m_bin.push_back(std::move(thing));
    }
    m_queue->post(kBinSlot, [this](std::stop_token) { emptyBin(); });
}

void Worker::emptyBin()
{
    std::vector<std::shared_ptr<const void>> bin;
    const std::lock_guard lock(m_binMutex);
    bin.swap(m_bin);
}

Hooks Worker::hooksFor(const Running& start, WorkQueue::Haste haste, std::stop_token stop)
{
    Hooks hooks;
    hooks.stop = std::move(stop);
    // Short work reports nothing, and long work a few times a second.
    hooks.progress = [this, haste, at = start, last = start.since](int done, int total) mutable {
        if (haste == WorkQueue::Haste::Patient)
            m_queue->giveWay();
        if (at.total == 0)
            at.first = done;
        at.done = done;
        at.total = total;
        at.reported = Activity::Clock::now();
        if (at.reported - last < kReportInterval)
            return;
        last = at.reported;
        QMetaObject::invokeMethod(this, [this, at] { advanced(at); }, Qt::QueuedConnection);
    };
    return hooks;
}

void Worker::advanced(const Running& running)
{
    if (running.serial <= m_slots[running.slot].finished)
        return;
    m_running = running;
    refresh();
}

bool Worker::finished(int slot, Serial serial)
{
    Slot& state = m_slots[slot];
    const bool wasWanted = isWanted(slot, serial);
    state.finished = std::max(state.finished, serial);
    if (m_running && m_running->slot == slot && m_running->serial <= serial)
        m_running.reset();
    refresh();
    return wasWanted;
}

bool Worker::isWanted(int slot, Serial serial) const
{
    const auto at = m_slots.find(slot);
    return at != m_slots.end() && serial > at->second.finished && serial >= at->second.oldestWanted;
}

std::optional<Worker::Progress> Worker::progressOf(int slot) const
{
    if (!m_running || m_running->slot != slot)
        return std::nullopt;
    return Progress{m_running->done, m_running->total};
}

void Worker::refresh()
{
    Activity activity;
    if (m_running) {
        const Task& task = m_slots[m_running->slot].task;
        activity.isBusy = true;
        activity.stage = task.stage;
        if (m_running->total > 0) {
            activity.step = task.step ? task.step(m_running->done, m_running->total) : QString();
            activity.done = m_running->done;
            activity.total = m_running->total;
            activity.first = m_running->first;
            activity.since = m_running->since;
            activity.reported = m_running->reported;
        }
    } else {
        for (const auto& [slot, state] : m_slots)
            if (isPending(slot) && !state.task.isQuiet) {
                activity = {true, state.task.stage};
                break;
            }
    }
    if (activity == m_activity)
        return;
    m_activity = activity;
    Q_EMIT activityChanged();
}

}  // namespace hs::control
