#include "text/normalizer.h"

#include "text/byte_level.h"
#include "text/text_growth.h"
#include "text/unicode_data.h"
#include "text/utf8.h"

namespace hs::text {

void toLowerCase(AlignedText& text)
{
    AlignedText lower;
    lower.reserve(text.size());
    std::vector<char32_t> mapped;
    for (std::size_t at = 0; at < text.size();) {
        const auto begin = static_cast<std::uint32_t>(at);
        mapped.clear();
        appendLowerCase(mapped, nextCodePoint(text.text(), at));
        for (const char32_t code : mapped)
            lower.append(code, text.origin({begin, static_cast<std::uint32_t>(at)}));
    }
    text = std::move(lower);
}

void strip(AlignedText& text, bool left, bool right)
{
    ByteSpan kept{0, text.size()};
    while (left && !kept.empty()) {
        std::size_t behind = kept.begin;
        if (!isWhitespace(nextCodePoint(text.text(), behind)))
            break;
        kept.begin = static_cast<std::uint32_t>(behind);
    }
    while (right && !kept.empty()) {
        const char32_t last = codePointBefore(text.text(), kept.end);
        if (!isWhitespace(last))
            break;
        kept.end -= last < 0x80 ? 1 : last < 0x800 ? 2 : 3;
    }
    text = text.slice(kept);
}

void prepend(AlignedText& text, std::string_view prefix)
{
    if (text.empty())
        return;
    AlignedText longer;
    longer.reserve(prefix.size() + text.size());
    longer.append(prefix, text.origin({0, 1}));
    longer.append(text, {0, text.size()});
    text = std::move(longer);
}

void toByteSymbols(AlignedText& text)
{
    AlignedText symbols;
    symbols.reserve(text.size());
    appendByteSymbols(symbols, text, {0, text.size()});
    text = std::move(symbols);
}

AlignedText replaceAll(const AlignedText& text, const Pattern& pattern, std::string_view content)
{
    if (text.empty())
        return text;
    const std::vector<ByteSpan> matches = pattern.findAll(text.text());
    std::size_t size = text.size() + matches.size() * content.size();
    for (const ByteSpan& match : matches)
        size -= match.size();
    requireModestGrowth(size, text.origin().size());
    AlignedText replaced;
    replaced.reserve(size);
    std::uint32_t copied = 0;
    for (const ByteSpan& match : matches) {
        replaced.append(text, {copied, match.begin});
        const ByteSpan last = match.empty() ? match : ByteSpan{match.end - 1, match.end};
        replaced.append(content, text.origin(last));
        copied = match.end;
    }
    replaced.append(text, {copied, text.size()});
    return replaced;
}

}  // namespace hs::text
