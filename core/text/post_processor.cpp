#include "text/post_processor.h"

#include "text/byte_level.h"
#include "text/unicode_data.h"
#include "text/utf8.h"

#include <algorithm>

namespace hs::text {

namespace {

bool isSpaceSymbol(char32_t code)
{
    return code == byteSymbol(' ') || isWhitespace(code);
}

std::size_t leadingSpaces(std::string_view token)
{
    std::size_t count = 0;
    for (std::size_t at = 0; at < token.size() && isSpaceSymbol(nextCodePoint(token, at));)
        ++count;
    return count;
}

std::size_t trailingSpaces(std::string_view token)
{
    std::size_t count = 0;
    while (!token.empty() && isSpaceSymbol(codePointBefore(token, token.size()))) {
        std::string last;
        appendUtf8(last, codePointBefore(token, token.size()));
        token.remove_suffix(last.size());
        ++count;
    }
    return count;
}

bool continues(std::string_view prompt, std::uint32_t at)
{
    return at < prompt.size() && isContinuation(prompt[at]);
}

/// The position `count` characters on, or back, in the prompt, but not beyond `limit`.
std::uint32_t forward(std::string_view prompt, std::uint32_t at, std::size_t count, std::uint32_t limit)
{
    for (; count > 0 && at < limit; --count)
        do
            ++at;
        while (at < limit && continues(prompt, at));
    return at;
}

std::uint32_t backward(std::string_view prompt, std::uint32_t at, std::size_t count, std::uint32_t limit)
{
    for (; count > 0 && at > limit; --count)
        do
            --at;
        while (at > limit && continues(prompt, at));
    return at;
}

}  // namespace

void trimOffsets(std::string_view prompt, std::vector<PromptToken>& tokens, bool keepFirstSpace)
{
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        ByteSpan& origin = tokens[i].origin;
        std::size_t leading = leadingSpaces(tokens[i].text);
        const std::size_t trailing = trailingSpaces(tokens[i].text);
        // A single space at the start may be one that the pre-tokenizer put in.
        if (leading == 1 && keepFirstSpace && (i == 0 || origin.begin == 0))
            leading = 0;
        origin.begin = forward(prompt, origin.begin, leading, origin.end);
        if (origin.end >= trailing)
            origin.end = backward(prompt, origin.end, trailing, origin.begin);
    }
}

PostProcessor templateProcessor(std::vector<TokenId> before, std::vector<TokenId> after)
{
    return [before = std::move(before), after = std::move(after)](std::string_view, bool addSpecial,
                                                                  std::vector<PromptToken>& tokens) {
        if (!addSpecial)
            return;
        std::vector<PromptToken> all;
        all.reserve(tokens.size() + before.size() + after.size());
        for (const TokenId id : before)
            all.push_back({id, {}, {}});
        all.insert(all.end(), tokens.begin(), tokens.end());
        for (const TokenId id : after)
            all.push_back({id, {}, {}});
        tokens = std::move(all);
    };
}

}  // namespace hs::text
