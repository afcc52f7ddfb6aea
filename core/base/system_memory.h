#pragma once

#include <cstddef>
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

/// Asks for large pages behind memory that is about to be filled: with small ones, the system's part of loading a model
/// takes longer than reading it. Not where little memory is free: making large pages of memory that holds files takes
/// longer still, since the files are moved about. Nothing happens where large pages are not to be had.
void preferLargePages(void* memory, std::size_t bytes);

}  // namespace hs
