#include "ui/timed_application.h"

#include <QEvent>
#include <QMetaEnum>
#include <QThread>

#include <ctime>
#include <utility>

namespace hs::test {
namespace {

double processorMilliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

std::string describe(QEvent::Type type, const char* className, const char* parentName)
{
    const char* const name = QMetaEnum::fromType<QEvent::Type>().valueToKey(type);
    return (name ? name : std::to_string(type)) + " to " + className + " of " + parentName;
}

}  // namespace

TimedApplication& TimedApplication::instance()
{
    return *static_cast<TimedApplication*>(QCoreApplication::instance());
}

TimedApplication::Aside::Aside()
{
    TimedApplication::instance().open(true);
}

TimedApplication::Aside::~Aside()
{
    TimedApplication::instance().close();
}

/// Whether an event is part of handling the one under way: sent by it, not by an event loop it runs.
bool TimedApplication::isWithinLastFrame() const
{
    return !m_frames.empty() && !m_frames.back().isAside &&
           m_frames.back().loopLevel == QThread::currentThread()->loopLevel();
}

bool TimedApplication::isFirstFrame(QObject* receiver, const QEvent& event)
{
    if (event.type() == QEvent::UpdateRequest)
        return std::exchange(m_isFirstFrame, false);
    if (event.type() != QEvent::Paint || m_painted.contains(receiver))
        return false;
    m_painted.insert(receiver);
    connect(receiver, &QObject::destroyed, this, [this](QObject* gone) { m_painted.remove(gone); });
    return true;
}

void TimedApplication::open(bool isAside)
{
    m_frames.push_back({processorMilliseconds(), 0, QThread::currentThread()->loopLevel(), isAside});
}

double TimedApplication::close()
{
    const Frame frame = m_frames.back();
    m_frames.pop_back();
    const double whole = processorMilliseconds() - frame.begin;
    if (!m_frames.empty())
        m_frames.back().apart += whole;
    return whole - frame.apart;
}

bool TimedApplication::notify(QObject* receiver, QEvent* event)
{
    const bool isFirst = isFirstFrame(receiver, *event);
    if (!isFirst && isWithinLastFrame())
        return QApplication::notify(receiver, event);
    // Both may be gone afterwards.
    const QEvent::Type type = event->type();
    const char* const className = receiver->metaObject()->className();
    const char* const parentName =
        receiver->parent() ? receiver->parent()->metaObject()->className() : "none";
    open(false);
    const bool isHandled = QApplication::notify(receiver, event);
    const double own = close();
    if (!isFirst && own > m_longest.milliseconds)
        m_longest = {own, describe(type, className, parentName)};
    return isHandled;
}

TimedApplication::Longest TimedApplication::takeLongest()
{
    return std::exchange(m_longest, {});
}

}  // namespace hs::test
