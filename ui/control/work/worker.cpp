#include "control/work/worker.h"

#include <chrono>

namespace hs::control {
namespace {

constexpr int kBinSlot = -1;
constexpr std::chrono::milliseconds kReportInterval{50};

}  // namespace

Worker::Worker(std::unique_ptr<Backend> backend)
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

Hooks Worker::hooksFor(int slot, Serial serial, WorkQueue::Haste haste, std::stop_token stop)
{
    Hooks hooks;
    hooks.stop = std::move(stop);
    // Short work reports nothing, and long work a few times a second.
    hooks.progress = [this, slot, serial, haste, last = std::chrono::steady_clock::now()](int done,
                                                                                          int total) mutable {
        if (haste == WorkQueue::Haste::Patient)
            m_queue->giveWay();
        const auto now = std::chrono::steady_clock::now();
        if (now - last < kReportInterval)
            return;
        last = now;
        QMetaObject::invokeMethod(
            this, [this, slot, serial, done, total] { advanced(slot, serial, done, total); },
            Qt::QueuedConnection);
    };
    return hooks;
}

void Worker::started(int slot, Serial serial)
{
    advanced(slot, serial, 0, 0);
}

void Worker::advanced(int slot, Serial serial, int done, int total)
{
    if (serial <= m_slots[slot].finished)
        return;
    m_running = Running{slot, serial, done, total};
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
        activity = {true, m_slots[m_running->slot].task.stage, m_running->done, m_running->total};
    } else {
        for (const auto& [slot, state] : m_slots)
            if (isPending(slot) && !state.task.isQuiet) {
                activity = {true, state.task.stage, 0, 0};
                break;
            }
    }
    if (activity == m_activity)
        return;
    m_activity = activity;
    Q_EMIT activityChanged();
}

}  // namespace hs::control
