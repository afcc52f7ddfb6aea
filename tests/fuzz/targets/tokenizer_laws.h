#pragma once

#include "fuzz/target.h"
#include "text/tokenizer.h"

namespace hs::fuzz {

/// Encodes a text, checks tokens and offsets against it, and returns the ids; none where the tokenizer
/// refuses the text.
std::vector<std::int64_t> requireSoundEncoding(const text::Tokenizer& tokenizer, std::string_view text);

}  // namespace hs::fuzz
