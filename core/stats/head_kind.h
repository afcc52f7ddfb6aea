#pragma once

#include "base/enum_words.h"
#include "stats/head_summary.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace hs::stats {

/// What a head mostly does in one run. A reading of its pattern on this prompt, not of what it can do.
enum class HeadKind {
    Induction,      // looks at what came after an earlier copy of the token
    PreviousToken,  // looks at the token before
    Local,          // looks at itself and the tokens just before
    Broad,          // spreads its weight over many tokens
    Sink,           // rests on the first token
    Mixed,          // none of these
};

constexpr auto enumWords(HeadKind)
{
    return std::to_array<EnumWord<HeadKind>>({{HeadKind::Induction, "induction"},
                                              {HeadKind::PreviousToken, "previous-token"},
                                              {HeadKind::Local, "local"},
                                              {HeadKind::Broad, "broad"},
                                              {HeadKind::Sink, "sink"},
                                              {HeadKind::Mixed, "mixed"}});
}

/// Whether the first key takes more than half of a head's weight, so that its tile is one dark column.
bool isSink(const HeadStats& head);

/// What the kinds of a run's heads are read from besides their statistics.
struct KindRules {
    const RepeatedTokens& repeats;
    PatternShape pattern;
    int tileSide = 0;  // tiles have at most this many rows and columns
};

/// A head's kind; none if it looks nowhere (a closed gate), there is only one token to look at, or keys are not
/// the queries' tokens.
std::optional<HeadKind> kindOf(const HeadStats& head, const KindRules& rules,
                               const std::uint8_t* tile);  // [row, column]

/// Whether a run could show induction at all: its prompt has a token twice.
bool canShowInduction(std::span<const HeadStats> heads);

}  // namespace hs::stats
