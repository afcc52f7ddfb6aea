#pragma once

#include "text/byte_span.h"
#include "text/literal_set.h"
#include "text/normalizer.h"
#include "text/vocabulary.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hs::text {

/// An entry of tokenizer.json's "added_tokens".
struct AddedToken {
    std::string content;
    bool singleWord = false;  // only where no word character touches it
    bool lstrip = false;      // includes the white space before it
    bool rstrip = false;      // … and after it
    bool normalized = false;  // looked for after the normalizer, not before
    bool special = false;
};

/// The tokens that are cut out of a text before anything else sees it. Immutable once built.
class AddedTokens {
public:
    struct Section {
        ByteSpan bounds;
        std::optional<TokenId> id;  // none: text between added tokens
    };

    AddedTokens(const std::vector<AddedToken>& tokens, const Vocabulary& modelVocabulary,
                const Normalizer& normalizer);

    /// Cuts a text that no normalizer has seen yet.
    std::vector<Section> splitRaw(std::string_view text) const { return split(text, m_raw); }

    /// Cuts normalized text.
    std::vector<Section> splitNormalized(std::string_view text) const { return split(text, m_normalized); }

    const Vocabulary& vocabulary() const { return m_vocabulary; }

    /// What the token stands for in a decoded text: its content, normalized where it is looked for
    /// in normalized text. None for an id that is not an added token.
    std::optional<std::string_view> textOf(TokenId id) const;
    bool isSpecial(TokenId id) const;

    /// Whether an id is an added token that stands for exactly what the file writes.
    bool isVerbatim(TokenId id) const { return textOf(id) == m_vocabulary.textOf(id); }

private:
    std::vector<Section> split(std::string_view text, const LiteralSet& set) const;
    const AddedToken& byId(TokenId id) const { return m_tokens.at(id); }

    Vocabulary m_vocabulary;  // as the file writes them
    std::unordered_map<TokenId, AddedToken> m_tokens;
    LiteralSet m_raw, m_normalized;
};

}  // namespace hs::text
