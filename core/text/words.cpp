#include "text/words.h"

#include "text/utf8.h"

namespace hs::text {
namespace {

/// Of scripts that put spaces between words: not in the blocks of marks, nor in those of Chinese and Japanese.
bool isWordLetter(char32_t code)
{
    if (code < 0x80)
        return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') || (code >= '0' && code <= '9');
    const bool isMark = code < 0xC0 || (code >= 0x2000 && code < 0x2E80);
    const bool isSpaceless = (code >= 0x2E80 && code < 0xAC00) || code >= 0xF900;
    return !isMark && !isSpaceless;
}

/// The first letter; 0 for bytes that are none.
char32_t firstOf(std::string_view text)
{
    std::size_t at = 0;
    return validUtf8Length(text) > 0 ? nextCodePoint(text, at) : 0;
}

char32_t lastOf(std::string_view text)
{
    std::size_t letterBytes = text.empty() ? 0 : 1;
    while (letterBytes < text.size() && isContinuation(text[text.size() - letterBytes]))
        ++letterBytes;
    return firstOf(text.substr(text.size() - letterBytes));
}

bool goesOn(const Token& token, const Token& next)
{
    const bool isText = token.role == TokenRole::Text && next.role == TokenRole::Text;
    if (!isText || next.begin != token.end || token.begin == token.end || next.begin == next.end)
        return false;
    if (!next.text.empty() && isContinuation(next.text.front()))
        return true;  // bytes of one letter
    if (!isWordLetter(lastOf(token.text)))
        return false;
    const bool isShortened = next.text.size() > 1 && next.text.front() == '\'';  // don't
    return isWordLetter(firstOf(isShortened ? std::string_view(next.text).substr(1) : next.text));
}

}  // namespace

TokenSpan wordAround(std::span<const Token> tokens, int position)
{
    TokenSpan word(position);
    const auto at = [&](int place) -> const Token& { return tokens[static_cast<std::size_t>(place)]; };
    while (word.first > 0 && goesOn(at(word.first - 1), at(word.first)))
        --word.first;
    while (word.last + 1 < static_cast<int>(tokens.size()) && goesOn(at(word.last), at(word.last + 1)))
        ++word.last;
    return word;
}

}  // namespace hs::text
