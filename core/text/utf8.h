#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hs::text {

/// Inside the tokenizer, text is well-formed UTF-8 in which a byte 0xNN that was not valid UTF-8
/// is written as the code point U+DCNN. Valid text never holds a surrogate, so this loses nothing.
constexpr char32_t kEscapeBase = 0xDC00;

/// Whether a byte of well-formed text continues the character before it.
constexpr bool isContinuation(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80u;
}

constexpr bool isEscapedByte(char32_t code)
{
    return code >= kEscapeBase + 0x80 && code <= kEscapeBase + 0xFF;
}

/// Bytes of the sequence that starts with `lead`, in text known to be well formed.
constexpr std::size_t utf8Length(char lead)
{
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// Length of the valid sequence at the start of untrusted `bytes`, or 0.
std::size_t validUtf8Length(std::string_view bytes);

/// The code point at `position` of well-formed text; moves `position` past it.
char32_t nextCodePoint(std::string_view text, std::size_t& position);

/// The code point that ends at `position` (> 0) of well-formed text.
char32_t codePointBefore(std::string_view text, std::size_t position);

void appendUtf8(std::string& text, char32_t code);

/// Turns escaped bytes back into the bytes they were; everything else stays as it is.
std::string unescapeBytes(std::string_view text);

}  // namespace hs::text
