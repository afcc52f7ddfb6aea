#pragma once

#include "train/run_clock.h"

namespace hs::train {

/// The first steps of a run with a time limit, which show how long a step takes.
class Trial {
public:
    /// Until the number of steps is decided, they are made as in a run of so many: no decision may change
    /// them.
    static constexpr std::int64_t kSteps = 5000;

    explicit Trial(double minutes) : m_mostSeconds(0.02 * 60 * minutes) {}

    /// After a step. The first ones, in which algorithms are chosen and a step is recorded, are not timed;
    /// returns whether the timing begins now.
    bool countStep(RunClock& clock)
    {
        if (++m_steps != kUntimed)
            return false;
        clock.restart();
        clock.costs().step = 0;
        m_begun = secondsNow();
        return true;
    }

    /// Slow steps are timed no longer than a small part of the limit.
    bool isOver() const
    {
        const std::int64_t timed = m_steps - kUntimed;
        return timed >= kMostTimed || (timed >= kLeastTimed && secondsNow() - m_begun > m_mostSeconds);
    }

private:
    static constexpr std::int64_t kUntimed = 4;
    static constexpr std::int64_t kLeastTimed = 2;
    static constexpr std::int64_t kMostTimed = 24;

    double m_mostSeconds;
    std::int64_t m_steps = 0;
    double m_begun = 0;  // seconds
};

}  // namespace hs::train
