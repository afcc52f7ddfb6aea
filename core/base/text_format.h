#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace hs {

/// "1.5 GB", "24 kB": decimal units, as disks and model cards count.
std::string formatBytes(std::uint64_t bytes);

/// "1,024": digits in groups, for counts in sentences.
std::string formatCount(std::int64_t count);

/// "[12, 64]".
std::string formatShape(std::span<const std::int64_t> shape);

}  // namespace hs
