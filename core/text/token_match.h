#pragma once

#include "base/position_pair.h"
#include "text/tokenizer.h"

#include <optional>
#include <span>
#include <vector>

namespace hs::text {

/// Neighbouring positions in a sequence of tokens, both ends included.
struct TokenSpan {
    int first = 0;
    int last = 0;

    constexpr TokenSpan(int position) : first(position), last(position) {}
    constexpr TokenSpan(int begin, int end) : first(begin), last(end) {}

    constexpr bool contains(int position) const { return first <= position && position <= last; }

    friend bool operator==(const TokenSpan&, const TokenSpan&) = default;
};

/// Where each token of a text is found when the same text is split by another tokenizer: the tokens there
/// that cover the same characters. A token that covers characters has at least one match if the other
/// sequence covers any. Those that cover nothing match the same token there, or, in front of the text, the
/// one at the same position. Equal sequences match position by position.
class TokenMatch {
public:
    TokenMatch() = default;
    TokenMatch(std::span<const Token> from, std::span<const Token> to);
    /// The same for two texts: the longest run of equal tokens matches, then the longest before and behind it, and so
    /// on. What is left between two runs matches position by position where it has as many tokens in either text, and by
    /// the characters from its beginning where it has not.
    static TokenMatch ofTexts(std::span<const Token> from, std::span<const Token> to);

    std::optional<TokenSpan> of(int position) const;
    /// Whether the other text has something else there, or nothing.
    bool isChanged(int position) const;

private:
    std::vector<std::optional<TokenSpan>> m_spans;  // [position in `from`]
    std::vector<bool> m_changed;                    // likewise; empty: nothing is
};

/// The tokens of two texts that match each other and nothing else, in order.
std::vector<PositionPair> pairsOf(std::span<const Token> first, std::span<const Token> second);

}  // namespace hs::text
