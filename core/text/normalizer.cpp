#include "text/normalizer.h"

#include "text/byte_level.h"
#include "text/text_growth.h"
#include "text/time_limit.h"
#include "text/unicode_data.h"
#include "text/utf8.h"

namespace hs::text {

AlignedText LowercaseNormalizer::apply(AlignedText text) const
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
    return lower;
}

AlignedText StripNormalizer::apply(AlignedText text) const
{
    ByteSpan kept{0, text.size()};
    while (m_left && !kept.empty()) {
        std::size_t behind = kept.begin;
        if (!isWhitespace(nextCodePoint(text.text(), behind)))
            break;
        kept.begin = static_cast<std::uint32_t>(behind);
    }
    while (m_right && !kept.empty()) {
        const char32_t last = codePointBefore(text.text(), kept.end);
        if (!isWhitespace(last))
            break;
        kept.end -= last < 0x80 ? 1 : last < 0x800 ? 2 : 3;
    }
    return text.slice(kept);
}

AlignedText PrependNormalizer::apply(AlignedText text) const
{
    AlignedText longer;
    if (text.empty())
        return longer;
    longer.reserve(m_prefix.size() + text.size());
    longer.append(m_prefix, text.origin({0, 1}));
    longer.append(text, {0, text.size()});
    return longer;
}

AlignedText ReplaceNormalizer::apply(AlignedText text) const
{
    return replaceAll(text, m_pattern, m_content);
}

AlignedText ByteLevelNormalizer::apply(AlignedText text) const
{
    AlignedText symbols;
    symbols.reserve(text.size());
    appendByteSymbols(symbols, text, {0, text.size()});
    return symbols;
}

AlignedText NormalizerSequence::apply(AlignedText text) const
{
    const std::size_t prompt = text.origin().size();
    for (const auto& part : m_parts) {
        TimeLimit::check();
        text = part->apply(std::move(text));
        requireModestGrowth(text.size(), prompt);
    }
    return text;
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
