#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hs::stats {

/// The order of the contributions by absolute value, largest first; equal ones keep their order.
/// [rank] → index
std::vector<std::size_t> rankByMagnitude(std::span<const double> contributions);

/// The share of all absolute contributions that the largest n make up, for n = 1, 2, …: the last is 1.
/// If all are zero, every share is 0.
std::vector<double> cumulativeMass(std::span<const double> contributions);

/// The fewest contributions whose absolute values make up at least `share` of all, largest first.
std::vector<std::size_t> smallestReaching(std::span<const double> contributions, double share);

/// Counts from 1 to total at which to draw a curve: all if they are few, else closer together at the
/// start, where curves bend; ascending, the first and the last included.
std::vector<int> curveCounts(int total, int allUpTo, double step = 1.1);

}  // namespace hs::stats
