#pragma once

#include <cstdint>
#include <optional>

namespace hs::cuda {

/// Free bytes on a GPU, or none when it does not answer.
std::optional<std::uint64_t> freeMemory(int index);

}  // namespace hs::cuda
