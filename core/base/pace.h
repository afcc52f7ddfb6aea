#pragma once

#include <algorithm>
#include <chrono>

namespace hs {

/// Says when work under way should show what it has: not before `interval`, so that brief work never does, and
/// so rarely that showing it takes a small share of the time, but at least every ten intervals.
class Pace {
public:
    using Clock = std::chrono::steady_clock;

    explicit Pace(Clock::duration interval) : m_interval(interval), m_next(Clock::now() + interval) {}

    /// Calls `show` if it is time.
    template <class Show>
    void step(const Show& show)
    {
        const Clock::time_point begin = Clock::now();
        if (begin < m_next)
            return;
        show();
        const Clock::time_point end = Clock::now();
        m_next = end + std::clamp(kShare * (end - begin), m_interval, 10 * m_interval);
    }

private:
    static constexpr int kShare = 20;

    Clock::duration m_interval;
    Clock::time_point m_next;
};

}  // namespace hs
