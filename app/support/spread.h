#pragma once

#include <vector>

namespace hs::app {

/// A mean and how far single values are from it.
struct Spread {
    double mean = 0;       // NaN of no values
    double deviation = 0;  // of a sample; NaN of fewer than two
    int count = 0;
};

Spread spreadOf(const std::vector<double>& values);

}  // namespace hs::app
