#pragma once

#include "base/enum_words.h"

#include <array>
#include <cstddef>

namespace hs {

/// One of the two grids; usually the dense model is on the left, the sparse one on the right.
enum class Side { Left, Right };

constexpr auto enumWords(Side)
{
    return std::to_array<EnumWord<Side>>({{Side::Left, "left"}, {Side::Right, "right"}});
}

inline constexpr std::array kSides = {Side::Left, Side::Right};

constexpr std::size_t indexOf(Side side)
{
    return static_cast<std::size_t>(side);
}

constexpr Side otherSide(Side side)
{
    return side == Side::Left ? Side::Right : Side::Left;
}

}  // namespace hs
