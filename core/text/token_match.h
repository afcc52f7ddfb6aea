#pragma once

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

    std::optional<TokenSpan> of(int position) const;

private:
    std::vector<std::optional<TokenSpan>> m_spans;  // [position in `from`]
};

}  // namespace hs::text
