#include "text/byte_level.h"

#include "text/utf8.h"

#include <array>

namespace hs::text {

namespace {

constexpr bool isPrintable(unsigned byte)
{
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

constexpr std::size_t kSymbolEnd = 0x100 + 68;  // 68 bytes are not printable

struct Alphabet {
    std::array<char32_t, 256> symbols{};
    std::array<short, kSymbolEnd> bytes{};

    constexpr Alphabet()
    {
        bytes.fill(-1);
        char32_t next = 0x100;
        for (unsigned byte = 0; byte < 256; ++byte) {
            symbols[byte] = isPrintable(byte) ? byte : next++;
            bytes[symbols[byte]] = static_cast<short>(byte);
        }
    }
};

constexpr Alphabet kAlphabet;

}  // namespace

char32_t byteSymbol(unsigned char byte)
{
    return kAlphabet.symbols[byte];
}

int symbolByte(char32_t symbol)
{
    return symbol < kSymbolEnd ? kAlphabet.bytes[symbol] : -1;
}

void appendByteSymbols(AlignedText& out, const AlignedText& text, ByteSpan range)
{
    for (std::size_t at = range.begin; at < range.end;) {
        const auto begin = static_cast<std::uint32_t>(at);
        const char32_t code = nextCodePoint(text.text(), at);
        const ByteSpan origin = text.origin({begin, static_cast<std::uint32_t>(at)});
        if (isEscapedByte(code)) {
            out.append(byteSymbol(static_cast<unsigned char>(code - kEscapeBase)), origin);
            continue;
        }
        for (std::size_t i = begin; i < at; ++i)
            out.append(byteSymbol(static_cast<unsigned char>(text.text()[i])), origin);
    }
}

std::string bytesOfSymbols(std::string_view token)
{
    std::string bytes;
    for (std::size_t at = 0; at < token.size();) {
        const bool isText = validUtf8Length(token.substr(at)) > 0;
        const int byte = isText ? symbolByte(nextCodePoint(token, at)) : -1;
        if (byte < 0)
            return std::string(token);
        bytes.push_back(static_cast<char>(byte));
    }
    return bytes;
}

}  // namespace hs::text
