#pragma once

#include <cstdint>
#include <optional>

namespace hs {

/// Bytes a program may still take without swapping, on the machine or, where that is less, in the
/// container. None where the system does not report it.
std::optional<std::uint64_t> availableMemory();

/// Bytes this process holds in memory now. None where the system does not report it.
std::optional<std::uint64_t> residentMemory();

/// The most memory this process has held at once since it started or `resetPeakMemory` succeeded.
std::uint64_t peakResidentMemory();
bool resetPeakMemory();

}  // namespace hs
