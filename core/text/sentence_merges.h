#pragma once

#include "text/bpe.h"

#include <span>
#include <string_view>

namespace hs::text {

/// The merges that do what SentencePiece does with scores: of two neighbours that join to a token, those
/// whose token has the highest score join first. `tokens` and `scores` are by id, empty tokens are left out.
/// Where all scores are the same, as in files that lost them, ids take their place: training gives early ids
/// to early merges, except for runs of spaces, which come last.
Bpe::Merges mergesByScore(std::span<const std::string_view> tokens, std::span<const float> scores);

}  // namespace hs::text
