#pragma once

#include "text/merge_table.h"
#include "text/model.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hs::text {

/// Options of a BPE model, named as in tokenizer.json.
struct BpeOptions {
    std::string unkToken;  // empty: characters outside the vocabulary are dropped
    std::string continuingSubwordPrefix;
    std::string endOfWordSuffix;
    bool fuseUnk = false;
    bool byteFallback = false;
    bool ignoreMerges = false;
};

/// Byte-pair encoding: a piece starts as its characters, then the pair of lowest rank is joined until
/// none is left.
class Bpe : public Model {
public:
    /// Left and right, in order of rank.
    using Merges = std::vector<std::pair<std::string_view, std::string_view>>;

    /// Throws Failure for merges that do not fit the vocabulary.
    Bpe(Vocabulary vocabulary, const Merges& merges, BpeOptions options);

    const Vocabulary& vocabulary() const override { return m_vocabulary; }
    EncodePiece encoder() const override;

    const BpeOptions& options() const { return m_options; }
    const MergeTable& merges() const { return m_merges; }
    std::optional<TokenId> unknownId() const { return m_unknownId; }
    std::optional<TokenId> byteId(unsigned char byte) const { return m_byteIds[byte]; }

    /// Whether any merge can join a token that ends in `left` with one that starts with `right`.
    /// Where none can, a long piece may be cut without changing its tokens.
    bool mayJoin(char32_t left, char32_t right) const;

private:
    TokenId idOrFail(std::string_view token) const;
    void noteJoint(std::string_view left, std::string_view right);
    void noteCharacters();

    Vocabulary m_vocabulary;
    BpeOptions m_options;
    MergeTable m_merges;
    MergeTable m_joints;      // code points instead of ids
    MergeTable m_characters;  // (code point, 0) for each that is a token
    std::optional<TokenId> m_unknownId;
    std::array<std::optional<TokenId>, 256> m_byteIds;
};

}  // namespace hs::text
