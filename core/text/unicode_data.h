#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hs::text {

/// The parts of the Unicode Character Database that tokenizers depend on.

bool isWhitespace(char32_t code);

/// Canonical combining class; 0 for a starter.
unsigned combiningClass(char32_t code);

struct Decomposition {
    std::span<const std::uint32_t> parts;  // empty: the code point is its own decomposition
    bool isCompatibility = false;
};

/// One level of decomposition, without the algorithmic Hangul syllables.
Decomposition decompositionOf(char32_t code);

/// The primary composite of two code points, or 0. Without Hangul.
char32_t compositionOf(char32_t first, char32_t second);

/// Appends the lower-case form of one code point; never looks at its neighbours.
void appendLowerCase(std::vector<char32_t>& out, char32_t code);

/// The text as an older Unicode version understands it: code points newer than that version are
/// replaced by older ones of the same category and the same UTF-8 length. Returns false, leaving
/// `out` alone, where nothing needs replacing.
bool replaceNewCodePoints(std::string_view text, std::string& out);

/// Punctuation that the Punctuation pre-tokenizer leaves alone, as the inside of a character class.
std::string_view punctuationGaps();

}  // namespace hs::text
