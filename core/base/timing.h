#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace hs {

/// Seconds on a clock that never goes back.
inline double secondsNow()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Wall-clock milliseconds that `work` takes.
template <class Work>
double milliseconds(Work&& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Times the parts of one piece of work, in milliseconds.
class Laps {
public:
    double total() const { return 1e3 * (secondsNow() - m_start); }

    /// Since the last call, or since the start.
    double next()
    {
        const double since = std::exchange(m_last, secondsNow());
        return 1e3 * (m_last - since);
    }

private:
    double m_start = secondsNow();
    double m_last = m_start;
};

/// The middle value, or the upper of the middle two.
inline double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The value that this share of all is not above.
inline double percentile(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace hs
