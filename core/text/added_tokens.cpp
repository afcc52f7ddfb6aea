#include "text/added_tokens.h"

#include "text/regex_syntax.h"
#include "text/time_limit.h"
#include "text/unicode_data.h"
#include "text/utf8.h"

#include <algorithm>

namespace hs::text {

namespace {

bool isWordCharacter(std::string_view character)
{
    static const Regex word(wordCharacterPattern());
    return !word.findAll(character).empty();
}

std::uint32_t skipSpacesBack(std::string_view text, std::uint32_t at)
{
    while (at > 0) {
        const char32_t code = codePointBefore(text, at);
        if (!isWhitespace(code))
            break;
        at -= code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    }
    return at;
}

std::uint32_t skipSpaces(std::string_view text, std::uint32_t at)
{
    std::size_t next = at;
    while (next < text.size() && isWhitespace(nextCodePoint(text, next)))
        at = static_cast<std::uint32_t>(next);
    return at;
}

bool touchesWord(std::string_view text, ByteSpan match)
{
    if (match.begin > 0) {
        std::string before;
        appendUtf8(before, codePointBefore(text, match.begin));
        if (isWordCharacter(before))
            return true;
    }
    return match.end < text.size() && isWordCharacter(text.substr(match.end, utf8Length(text[match.end])));
}

std::string normalizedContent(const AddedToken& token, const Normalizer& normalizer)
{
    if (!normalizer)
        return token.content;
    AlignedText text = AlignedText::fromBytes(token.content);
    normalizer(text);
    return std::string(text.text());
}

std::size_t bytesOf(const std::vector<AddedToken>& tokens)
{
    std::size_t bytes = 0;
    for (const AddedToken& token : tokens)
        bytes += token.content.size();
    return bytes;
}

}  // namespace

AddedTokens::AddedTokens(const std::vector<AddedToken>& tokens, const Vocabulary& modelVocabulary,
                         const Normalizer& normalizer)
{
    const TimeLimit limit(TimeLimit::generousFor(bytesOf(tokens)));
    // Ids are derived from the model's vocabulary, whatever the file says, as the file's own library does.
    std::int64_t nextId = static_cast<std::int64_t>(modelVocabulary.size());
    std::vector<TokenId> order;
    for (const AddedToken& token : tokens) {
        if (token.content.empty() || m_vocabulary.idOf(token.content))
            continue;
        const std::optional<TokenId> known = modelVocabulary.idOf(token.content);
        const std::int64_t id = known ? *known : nextId;
        nextId = std::max(nextId, id + 1);
        m_vocabulary.add(token.content, id);
        AddedToken& kept = m_tokens.emplace(static_cast<TokenId>(id), token).first->second;
        if (token.normalized)
            kept.content = normalizedContent(token, normalizer);
        order.push_back(static_cast<TokenId>(id));
    }
    std::stable_partition(order.begin(), order.end(), [&](TokenId id) { return byId(id).special; });
    for (const TokenId id : order) {
        const AddedToken& token = byId(id);
        (token.normalized ? m_normalized : m_raw).add(token.content, id);
    }
}

std::optional<std::string_view> AddedTokens::textOf(TokenId id) const
{
    const auto found = m_tokens.find(id);
    return found == m_tokens.end() ? std::nullopt : std::optional<std::string_view>(found->second.content);
}

bool AddedTokens::isSpecial(TokenId id) const
{
    const auto found = m_tokens.find(id);
    return found != m_tokens.end() && found->second.special;
}

std::vector<AddedTokens::Section> AddedTokens::split(std::string_view text, const LiteralSet& set) const
{
    std::vector<Section> sections;
    std::uint32_t done = 0;
    for (const LiteralSet::Match& match : set.findAll(text)) {
        const AddedToken& token = byId(match.value);
        ByteSpan bounds = match.bounds;
        if (token.singleWord && touchesWord(text, bounds))
            continue;
        if (token.lstrip)
            bounds.begin = std::max(skipSpacesBack(text, bounds.begin), done);
        if (token.rstrip)
            bounds.end = skipSpaces(text, bounds.end);
        // The token before it may have stripped it away entirely.
        if (bounds.begin >= bounds.end)
            continue;
        if (done < bounds.begin)
            sections.push_back({{done, bounds.begin}, std::nullopt});
        sections.push_back({bounds, match.value});
        done = bounds.end;
    }
    if (done < text.size())
        sections.push_back({{done, static_cast<std::uint32_t>(text.size())}, std::nullopt});
    return sections;
}

}  // namespace hs::text
