#pragma once

#include "text/tokenizer.h"

#include <span>
#include <string_view>
#include <vector>

namespace hs::text {

/// Neighbouring positions, without the end.
struct TokenRange {
    int begin = 0;
    int end = 0;

    int size() const { return end - begin; }

    friend bool operator==(const TokenRange&, const TokenRange&) = default;
};

/// A part of two texts that stands at the same place of both; one of the two may be empty.
struct TokenRun {
    TokenRange first;
    TokenRange second;
};

/// A token's text without the space in front, by which the first word of a text differs from the same word elsewhere.
std::string_view wordOf(const Token& token);

/// Two texts cut into runs of equal tokens and what is between them, in order. The longest run is found first, then those
/// before and behind it. Where two parts have as many tokens, of which at least as many are equal in their places as the
/// longest run has, they stay one: in a prompt whose names were swapped, names are held against names.
std::vector<TokenRun> commonRuns(std::span<const Token> first, std::span<const Token> second);

/// A part of a text as if it began there.
std::vector<Token> fromItsBeginning(std::span<const Token> tokens, TokenRange part);

}  // namespace hs::text
