#pragma once

#include <cstdint>
#include <optional>

namespace hs {

/// Bytes a program may still take without swapping: the machine's and, where it is tighter, the
/// container's. None where the system does not say.
std::optional<std::uint64_t> availableMemory();

/// Bytes this process holds in memory now. None where the system does not say.
std::optional<std::uint64_t> residentMemory();

/// The most memory this process has held at once since it started or `resetPeakMemory` succeeded.
std::uint64_t peakResidentMemory();
bool resetPeakMemory();

}  // namespace hs
