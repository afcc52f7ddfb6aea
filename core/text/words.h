#pragma once

#include "text/token_match.h"

#include <span>

namespace hs::text {

/// The word that a token is part of: the tokens around it that go on without a space or a mark in between. Letters of
/// scripts that are written without spaces are words of their own, however many tokens they take.
TokenSpan wordAround(std::span<const Token> tokens, int position);

}  // namespace hs::text
