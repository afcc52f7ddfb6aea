#pragma once

#include <string>
#include <string_view>

namespace hs::text {

/// Translates a pattern in the syntax of tokenizer.json (Oniguruma's) into one that PCRE2 reads the
/// same way. Throws Failure, naming the construct, for what PCRE2 would read differently.
std::string toPcre2Syntax(std::string_view pattern);

/// One word character as the Whitespace pre-tokenizer and single-word added tokens see it; there,
/// joiners belong to words and superscript digits do not, unlike with `\w` in a Split.
std::string wordCharacterPattern();

}  // namespace hs::text
