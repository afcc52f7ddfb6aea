#pragma once

#include "base/timing.h"
#include "train/pace.h"

#include <cstdint>

namespace hs::train {

/// Where the time of a run goes: steps are timed between reports, and what happens beside them apart, so
/// that a look or a checkpoint does not make the steps around it seem slow.
class RunClock {
public:
    /// Times a part that is no step, as long as it lives.
    class Part {
    public:
        Part(RunClock& clock, double RunCosts::* cost) : m_clock(clock), m_cost(cost) {}
        ~Part() { m_clock.addApart(m_cost, secondsNow() - m_start); }
        Part(const Part&) = delete;
        Part& operator=(const Part&) = delete;

    private:
        RunClock& m_clock;
        double RunCosts::* m_cost;
        double m_start = secondsNow();
    };

    void countStep() { ++m_steps; }

    /// Ends a span of steps and begins the next; returns the seconds that the steps took.
    double endSpan()
    {
        const double seconds = secondsNow() - m_since - m_apart;
        if (m_steps > 0)
            smooth(m_costs.step, seconds / static_cast<double>(m_steps));
        restart();
        return seconds;
    }

    /// Begins a span anew: what came before it is not counted.
    void restart()
    {
        m_since = secondsNow();
        m_apart = 0;
        m_steps = 0;
    }

    void addApart(double RunCosts::* cost, double seconds)
    {
        m_apart += seconds;
        smooth(m_costs.*cost, seconds);
    }

    const RunCosts& costs() const { return m_costs; }
    RunCosts& costs() { return m_costs; }

private:
    static void smooth(double& cost, double seconds) { cost = cost > 0 ? 0.5 * (cost + seconds) : seconds; }

    RunCosts m_costs;
    double m_since = secondsNow();
    double m_apart = 0;  // seconds of this span that were no steps
    std::int64_t m_steps = 0;
};

}  // namespace hs::train
