#pragma once

#include "text/bpe.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace hs::text {

/// Encodes with a Bpe model and remembers words, since they recur often.
class BpeEncoder {
public:
    explicit BpeEncoder(const Bpe& model) : m_model(model) {}
    void operator()(std::string_view piece, std::vector<PieceToken>& out);

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    /// A link of the chain that merging shortens.
    struct Symbol {
        TokenId id = 0;
        ByteSpan bounds;  // in the word; empty: merged into the one before
        std::uint32_t previous = kNone, next = kNone;
    };

    struct Candidate {
        std::uint64_t order = 0;  // rank, then position
        TokenId joined = 0;

        std::uint32_t position() const { return static_cast<std::uint32_t>(order); }
        friend bool operator>(const Candidate& a, const Candidate& b) { return a.order > b.order; }
    };

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

    void encodeWord(std::string_view word, std::uint32_t offset, std::vector<PieceToken>& out);
    void mergeWord(std::string_view word);
    void spell(std::string_view word);
    void pushUnknown(ByteSpan bounds);
    void flushUnknown();
    void push(TokenId id, ByteSpan bounds);
    void consider(std::uint32_t left, std::uint32_t right);
    void mergeAll();

    const Bpe& m_model;
    std::vector<Symbol> m_symbols;
    std::vector<Candidate> m_candidates;  // a heap, lowest order first
    ByteSpan m_unknown;                   // unknown characters not yet pushed
    std::vector<PieceToken> m_tokens;     // of the current word
    std::vector<PieceToken> m_remembered;
    std::unordered_map<std::string, ByteSpan, Hash, std::equal_to<>> m_words;  // into m_remembered
};

}  // namespace hs::text
