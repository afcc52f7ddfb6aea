#include "app/support/spread.h"

#include <cmath>

namespace hs::app {

Spread spreadOf(const std::vector<double>& values)
{
    const auto count = static_cast<double>(values.size());
    double sum = 0;
    double squares = 0;
    for (const double value : values)
        sum += value;
    const double mean = values.empty() ? NAN : sum / count;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return {mean, values.size() > 1 ? std::sqrt(squares / (count - 1)) : NAN,
            static_cast<int>(values.size())};
}

}  // namespace hs::app
