#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hs::stats {

/// Where the contributions stand when they are sorted by absolute value, largest first; equal ones
/// keep their order. [rank] → index
std::vector<std::size_t> rankByMagnitude(std::span<const double> contributions);

/// The share of all absolute contributions that the largest n make, for n = 1, 2, …: the last is 1.
/// All zeros have none: every share is then 0.
std::vector<double> cumulativeMass(std::span<const double> contributions);

/// The fewest contributions whose absolute values make at least `share` of all, largest first.
std::vector<std::size_t> smallestReaching(std::span<const double> contributions, double share);

/// Counts 1 … total for a curve over them: all where they are few, else closer together at the
/// start, where curves bend; rising, the first and the last included.
std::vector<int> curveCounts(int total, int allUpTo, double step = 1.1);

}  // namespace hs::stats
