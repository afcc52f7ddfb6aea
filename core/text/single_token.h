#pragma once

#include "text/tokenizer.h"

#include <string>

namespace hs::text {

/// The one token a text means: the text as it was typed, else the text after a space, else the
/// token that the vocabulary spells so. Anything else is an error that says what the text is instead.
Result<std::int64_t> singleToken(const Tokenizer& tokenizer, const std::string& text);

}  // namespace hs::text
