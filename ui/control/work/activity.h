#pragma once

#include <QString>

#include <algorithm>
#include <chrono>
#include <optional>

namespace hs::control {

/// What the worker is doing.
struct Activity {
    using Clock = std::chrono::steady_clock;
    using Seconds = std::chrono::duration<double>;

    bool isBusy = false;
    QString stage;      // "Loading OLMo-7B", "Running Demo, dense"
    QString step = {};  // "layer 12 of 28"; empty: unknown
    int done = 0;
    int total = 0;                    // 0: unknown
    int first = 0;                    // where `done` began
    Clock::time_point since = {};     // when the work began; zero: not yet
    Clock::time_point reported = {};  // when `done` was reached

    /// How much longer it will take at its present speed; none if that is not known yet.
    std::optional<Seconds> left(Clock::time_point now) const
    {
        if (done <= first || done >= total)
            return std::nullopt;
        const Seconds each = Seconds(reported - since) / (done - first);
        return std::max(each * (total - done) - Seconds(now - reported), Seconds::zero());
    }

    friend bool operator==(const Activity&, const Activity&) = default;
};

}  // namespace hs::control
