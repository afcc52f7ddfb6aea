#pragma once

#include "text/aligned_text.h"
#include "text/split.h"

#include <functional>
#include <string_view>

namespace hs::text {

/// Rewrites text before it is split; see tokenizer.json's "normalizer".
using Normalizer = std::function<void(AlignedText& text)>;

void toLowerCase(AlignedText& text);

/// Takes white space off the ends.
void strip(AlignedText& text, bool left, bool right);

/// Puts a prefix before any text that is not empty.
void prepend(AlignedText& text, std::string_view prefix);

/// Turns every byte into its symbol of the byte-level alphabet.
void toByteSymbols(AlignedText& text);

/// `text` with every match of `pattern` replaced by `content`, whose origin is the last character of
/// the match.
AlignedText replaceAll(const AlignedText& text, const Pattern& pattern, std::string_view content);

}  // namespace hs::text
