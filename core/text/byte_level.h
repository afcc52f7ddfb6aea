#pragma once

#include "text/aligned_text.h"

#include <string>
#include <string_view>

namespace hs::text {

/// The byte-level alphabet: each byte has a printable symbol, so that a vocabulary of text can hold
/// any bytes. Printable Latin-1 bytes are their own symbols; the rest are U+0100 and up.

/// The symbol of one byte.
char32_t byteSymbol(unsigned char byte);

/// The byte of a symbol, or -1 for a code point that is not a symbol.
int symbolByte(char32_t symbol);

/// Appends a range of `text` to `out`, every byte as its symbol.
void appendByteSymbols(AlignedText& out, const AlignedText& text, ByteSpan range);

/// The bytes that a token of symbols stands for; a token with any other character stays as it is.
std::string bytesOfSymbols(std::string_view token);

}  // namespace hs::text
