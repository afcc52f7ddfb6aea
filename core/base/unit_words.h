#pragma once

#include "base/enum_words.h"
#include "base/head_id.h"

namespace hs {

constexpr auto enumWords(Units)
{
    return std::to_array<EnumWord<Units>>({{Units::Heads, "heads"}, {Units::HeadsAndMlps, "heads+mlps"}});
}

}  // namespace hs
