#include "text/bpe_encoder.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "text/utf8.h"

#include <algorithm>
#include <functional>

namespace hs::text {

namespace {

constexpr std::size_t kLongPiece = 32;          // bytes from which looking for cuts pays
constexpr std::size_t kMaxRememberedWord = 64;  // bytes
constexpr std::size_t kMaxRememberedWords = 1u << 16;

}  // namespace

void BpeEncoder::operator()(std::string_view piece, std::vector<PieceToken>& out)
{
    const auto size = static_cast<std::uint32_t>(piece.size());
    if (m_model.options().ignoreMerges)
        if (const std::optional<TokenId> id = m_model.vocabulary().idOf(piece)) {
            out.push_back({*id, {0, size}});
            return;
        }
    if (size <= kLongPiece) {
        encodeWord(piece, 0, out);
        return;
    }
    std::size_t wordBegin = 0, at = 0;
    char32_t previous = nextCodePoint(piece, at);
    while (at < size) {
        const std::size_t begin = at;
        const char32_t current = nextCodePoint(piece, at);
        if (!m_model.mayJoin(previous, current)) {
            encodeWord(piece.substr(wordBegin, begin - wordBegin), static_cast<std::uint32_t>(wordBegin),
                       out);
            wordBegin = begin;
        }
        previous = current;
    }
    encodeWord(piece.substr(wordBegin), static_cast<std::uint32_t>(wordBegin), out);
}

void BpeEncoder::encodeWord(std::string_view word, std::uint32_t offset, std::vector<PieceToken>& out)
{
    const auto append = [&](const PieceToken* begin, const PieceToken* end) {
        for (; begin != end; ++begin)
            out.push_back({begin->id, {begin->bounds.begin + offset, begin->bounds.end + offset}});
    };
    if (const auto known = m_words.find(word); known != m_words.end()) {
        append(m_remembered.data() + known->second.begin, m_remembered.data() + known->second.end);
        return;
    }
    mergeWord(word);
    append(m_tokens.data(), m_tokens.data() + m_tokens.size());
    if (word.size() <= kMaxRememberedWord && m_words.size() < kMaxRememberedWords) {
        const auto begin = static_cast<std::uint32_t>(m_remembered.size());
        m_remembered.insert(m_remembered.end(), m_tokens.begin(), m_tokens.end());
        m_words.emplace(word, ByteSpan{begin, static_cast<std::uint32_t>(m_remembered.size())});
    }
}

void BpeEncoder::mergeWord(std::string_view word)
{
    spell(word);
    mergeAll();
    m_tokens.clear();
    for (const Symbol& symbol : m_symbols)
        if (!symbol.bounds.empty())
            m_tokens.push_back({symbol.id, symbol.bounds});
}

void BpeEncoder::spell(std::string_view word)
{
    const BpeOptions& options = m_model.options();
    m_symbols.clear();
    m_unknown = {};
    std::string affixed;
    for (std::size_t at = 0; at < word.size();) {
        const std::size_t begin = at;
        const char32_t code = nextCodePoint(word, at);
        const ByteSpan bounds{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)};
        std::string_view symbol = bounds.of(word);
        if ((begin > 0 && !options.continuingSubwordPrefix.empty()) ||
            (at == word.size() && !options.endOfWordSuffix.empty())) {
            affixed = (begin > 0 ? options.continuingSubwordPrefix : "") + std::string(symbol) +
                      (at == word.size() ? options.endOfWordSuffix : "");
            symbol = affixed;
        }
        if (const std::optional<TokenId> id = m_model.vocabulary().idOf(symbol)) {
            flushUnknown();
            push(*id, bounds);
            continue;
        }
        const std::string bytes = isEscapedByte(code) ? unescapeBytes(symbol) : std::string(symbol);
        const bool fallsBack =
            options.byteFallback && std::all_of(bytes.begin(), bytes.end(), [&](char byte) {
                return m_model.byteId(static_cast<unsigned char>(byte)).has_value();
            });
        if (!fallsBack) {
            pushUnknown(bounds);
            continue;
        }
        for (const char byte : bytes)
            push(*m_model.byteId(static_cast<unsigned char>(byte)), bounds);
    }
    flushUnknown();
}

void BpeEncoder::pushUnknown(ByteSpan bounds)
{
    if (m_model.options().unkToken.empty())
        return;
    if (!m_model.unknownId())
        fail(ErrorCode::BadFile, "The tokenizer's token for unknown text, '" +
                                     shortened(m_model.options().unkToken) +
                                     "', is not in its vocabulary; fetch its files again.");
    if (!m_model.options().fuseUnk)
        flushUnknown();
    m_unknown = {m_unknown.empty() ? bounds.begin : m_unknown.begin, bounds.end};
}

void BpeEncoder::flushUnknown()
{
    if (!m_unknown.empty())
        push(*m_model.unknownId(), m_unknown);
    m_unknown = {};
}

void BpeEncoder::push(TokenId id, ByteSpan bounds)
{
    const auto index = static_cast<std::uint32_t>(m_symbols.size());
    if (index > 0)
        m_symbols.back().next = index;
    m_symbols.push_back({id, bounds, index > 0 ? index - 1 : kNone, kNone});
}

void BpeEncoder::consider(std::uint32_t left, std::uint32_t right)
{
    if (const MergeTable::Merge* merge = m_model.merges().find(m_symbols[left].id, m_symbols[right].id)) {
        m_candidates.push_back({std::uint64_t{merge->rank} << 32 | left, merge->joined});
        std::push_heap(m_candidates.begin(), m_candidates.end(), std::greater<>());
    }
}

void BpeEncoder::mergeAll()
{
    m_candidates.clear();
    for (std::uint32_t i = 1; i < m_symbols.size(); ++i)
        consider(i - 1, i);
    while (!m_candidates.empty()) {
        std::pop_heap(m_candidates.begin(), m_candidates.end(), std::greater<>());
        const Candidate top = m_candidates.back();
        m_candidates.pop_back();
        Symbol& left = m_symbols[top.position()];
        if (left.bounds.empty() || left.next == kNone)
            continue;
        Symbol& right = m_symbols[left.next];
        // The pair may have changed since; what counts is that it still makes the same token.
        const MergeTable::Merge* merge = m_model.merges().find(left.id, right.id);
        if (!merge || merge->joined != top.joined)
            continue;
        left.id = top.joined;
        left.bounds.end = right.bounds.end;
        left.next = right.next;
        right.bounds = {};
        if (left.next != kNone)
            m_symbols[left.next].previous = top.position();
        if (left.previous != kNone)
            consider(left.previous, top.position());
        if (left.next != kNone)
            consider(top.position(), left.next);
    }
}

}  // namespace hs::text
