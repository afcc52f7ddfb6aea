#pragma once

#include <optional>
#include <string>

namespace hs::cuda {

/// Why calls to a GPU that this process has used fail; none if they do not. Waits for what is queued there.
std::optional<std::string> failureOf(int index);

/// Why there is no GPU; none if there is one.
std::optional<std::string> absence();

}  // namespace hs::cuda
