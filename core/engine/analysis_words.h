#pragma once

#include "engine/circuit.h"
#include "engine/sweep.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace hs {

/// What files and the command line call the choices of analyses, in the order of their enums.
inline constexpr std::array kSweepUnitWords = {"heads", "groups", "layers"};
inline constexpr std::array kSweepMethodWords = {"zero", "mean", "resample"};
inline constexpr std::array kCircuitUnitWords = {"heads", "edges"};
inline constexpr std::array kCircuitRankingWords = {"restore", "remove", "gradient"};

constexpr const char* wordOf(SweepUnits units)
{
    return kSweepUnitWords[static_cast<std::size_t>(units)];
}
constexpr const char* wordOf(SweepMethod method)
{
    return kSweepMethodWords[static_cast<std::size_t>(method)];
}
constexpr const char* wordOf(CircuitUnits units)
{
    return kCircuitUnitWords[static_cast<std::size_t>(units)];
}
constexpr const char* wordOf(CircuitRanking ranking)
{
    return kCircuitRankingWords[static_cast<std::size_t>(ranking)];
}

/// The choice that a word stands for, which must be one of them.
template <class Choice, std::size_t Count>
Choice choiceOf(std::string_view word, const std::array<const char*, Count>& words)
{
    return static_cast<Choice>(std::find(words.begin(), words.end(), word) - words.begin());
}

}  // namespace hs
