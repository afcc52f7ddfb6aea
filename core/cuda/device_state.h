#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hs::cuda {

/// Free bytes on a GPU, or none when it does not answer.
std::optional<std::uint64_t> freeMemory(int index);

/// Why calls to a GPU that this process has used fail; none if they do not. Waits for what is queued there.
std::optional<std::string> failureOf(int index);

/// Why there is no GPU; none if there is one.
std::optional<std::string> absence();

/// Whether the kernels were compiled for GPUs of this compute capability: for one of its generation that is not newer.
bool hasCodeFor(int major, int minor);

}  // namespace hs::cuda
