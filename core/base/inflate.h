#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace hs {

/// What zlib or gzip packed, refused where it is damaged, or would take more than `mostBytes`. `what` names it in
/// errors. Throws Failure.
std::string inflated(std::span<const std::byte> packed, std::size_t mostBytes, const std::string& what);

}  // namespace hs
