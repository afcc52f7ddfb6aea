#pragma once

#include "base/enum_words.h"

namespace hs::render {

/// The corner of a tile that its label is in.
enum class LabelCorner { TopRight, TopLeft, BottomRight, BottomLeft };

constexpr auto enumWords(LabelCorner)
{
    return std::to_array<EnumWord<LabelCorner>>({{LabelCorner::TopRight, "top-right"},
                                                 {LabelCorner::TopLeft, "top-left"},
                                                 {LabelCorner::BottomRight, "bottom-right"},
                                                 {LabelCorner::BottomLeft, "bottom-left"}});
}

}  // namespace hs::render
