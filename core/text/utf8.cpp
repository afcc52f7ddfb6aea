#include "text/utf8.h"

namespace hs::text {

std::size_t validUtf8Length(std::string_view bytes)
{
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    if (bytes.empty())
        return 0;
    const unsigned char lead = at(0);
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    const std::size_t length = utf8Length(bytes[0]);
    if (bytes.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if (!isContinuation(bytes[i]))
            return 0;
    const bool overlong = (lead == 0xE0 && at(1) < 0xA0) || (lead == 0xF0 && at(1) < 0x90);
    const bool surrogate = lead == 0xED && at(1) >= 0xA0;
    const bool beyondUnicode = lead == 0xF4 && at(1) >= 0x90;
    return overlong || surrogate || beyondUnicode ? 0 : length;
}

char32_t nextCodePoint(std::string_view text, std::size_t& position)
{
    const auto lead = static_cast<unsigned char>(text[position++]);
    if (lead < 0x80)
        return lead;
    const std::size_t more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    char32_t code = lead & (0x3Fu >> more);
    for (std::size_t i = 0; i < more; ++i)
        code = code << 6 | (static_cast<unsigned char>(text[position++]) & 0x3Fu);
    return code;
}

char32_t codePointBefore(std::string_view text, std::size_t position)
{
    do
        --position;
    while (isContinuation(text[position]));
    return nextCodePoint(text, position);
}

void appendUtf8(std::string& text, char32_t code)
{
    const auto push = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (code < 0x80) {
        push(code);
    } else if (code < 0x800) {
        push(0xC0 | code >> 6);
        push(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        push(0xE0 | code >> 12);
        push(0x80 | (code >> 6 & 0x3F));
        push(0x80 | (code & 0x3F));
    } else {
        push(0xF0 | code >> 18);
        push(0x80 | (code >> 12 & 0x3F));
        push(0x80 | (code >> 6 & 0x3F));
        push(0x80 | (code & 0x3F));
    }
}

std::string unescapeBytes(std::string_view text)
{
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const char32_t code = nextCodePoint(text, at);
        if (isEscapedByte(code))
            bytes.push_back(static_cast<char>(code - kEscapeBase));
        else
            bytes.append(text, begin, at - begin);
    }
    return bytes;
}

}  // namespace hs::text
