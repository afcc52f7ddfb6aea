#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hs {

/// "1.5 GB", "24 kB": decimal units, as disks and model cards count.
std::string formatBytes(std::uint64_t bytes);

/// "1,024": digits in groups, for counts in sentences.
std::string formatCount(std::int64_t count);

/// "0.6", "17", "1400": as many digits as a table needs.
std::string shortNumber(double value);

/// "[12, 64]".
std::string formatShape(std::span<const std::int64_t> shape);

/// The start of a text that may be of any length, cut between characters: "abc…".
std::string shortened(std::string_view text, std::size_t mostBytes = 100);

}  // namespace hs
