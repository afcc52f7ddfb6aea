#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hs::render {

/// Where steps of a training are along an axis: evenly, or where they span orders of magnitude logarithmically; a step
/// 0 is then half as far as the first one after it.
class StepAxis {
public:
    explicit StepAxis(const std::vector<std::int64_t>& steps)
    {
        for (const std::int64_t step : steps) {
            m_most = std::max(m_most, static_cast<double>(step));
            if (step > 0)
                m_least =
                    m_least > 0 ? std::min(m_least, static_cast<double>(step)) : static_cast<double>(step);
            m_hasZero |= step == 0;
        }
        m_isLogarithmic = m_least > 0 && m_most > kLogarithmicFrom * m_least;
    }

    bool isLogarithmic() const { return m_isLogarithmic; }
    double at(std::int64_t step) const
    {
        return m_isLogarithmic && step <= 0 ? m_least / 2 : static_cast<double>(step);
    }
    double lowest() const { return !m_isLogarithmic ? 0 : (m_hasZero ? m_least / 2 : m_least) * 0.85; }
    double highest() const { return m_most > 0 ? (m_isLogarithmic ? 1.15 : 1.03) * m_most : 1; }

private:
    static constexpr double kLogarithmicFrom = 100;  // times the first step

    double m_least = 0;  // above 0
    double m_most = 0;
    bool m_hasZero = false;
    bool m_isLogarithmic = false;
};

}  // namespace hs::render
