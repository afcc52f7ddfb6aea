#pragma once

#include "train/batch.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hs::train {

/// A text to measure models on, without the tokens that start texts.
struct MeasuredText {
    std::vector<std::int32_t> tokens;
    std::int64_t document = 0;  // tokens in each document, one after another; 0: one running text
};

/// Lengths at which density is compared, since it depends on them.
inline constexpr int kPassageLengths[] = {16, 64, 256, 1024};
/// Models are judged at the longest of a text's lengths that is no longer.
inline constexpr int kJudgedLength = 256;

/// The lengths that fit model and text, ascending; the longest that does, if it is shorter than all of them.
/// A first token counts. Throws Failure if nothing could be predicted.
std::vector<int> passageLengths(const MeasuredText& text, int context, bool hasFirst);

/// At most `most` passages of so many tokens, `first` included; fewer where they are long or the text is short.
/// They share no token: the beginnings of documents, or spread over a running text. Without a first token
/// documents may be one token too short, and the passages with them.
HeldOutBatch passagesOf(const MeasuredText& text, int length, int most, std::optional<std::int64_t> first);

}  // namespace hs::train
