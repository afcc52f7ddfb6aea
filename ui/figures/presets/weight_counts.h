#pragma once

#include <span>
#include <vector>

namespace hs::figures {

/// How many weights fall into each of `bins` equal parts of 0..1; those outside count at the ends.
std::vector<int> countWeights(std::span<const float> weights, int bins);

/// How many cells fall into each square of x and y. [y, x], y upwards from the first row
std::vector<int> countPairs(std::span<const float> x, std::span<const float> y, int bins);

}  // namespace hs::figures
