#pragma once

#include <vector>

namespace hs::app {

/// A mean and how far individual values are from it.
struct Spread {
    double mean = 0;       // NaN without values
    double deviation = 0;  // of a sample; NaN for fewer than two values
    int count = 0;
};

Spread spreadOf(const std::vector<double>& values);

}  // namespace hs::app
