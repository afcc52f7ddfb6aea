#pragma once

#include "analyses/generation.h"
#include "service/side_request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hs::service {

/// How a side's model writes on.
struct GenerationSetup {
    int count = 20;          // most tokens
    double temperature = 0;  // 0: always the most probable token
    int topK = 0;            // draws among that many most probable ones; 0: among all
    std::uint64_t seed = 1;
    std::string stop = {};  // nothing follows this text; empty: none
    int ablateFrom = 0;     // the step from which on heads are ablated, in the whole text

    friend bool operator==(const GenerationSetup&, const GenerationSetup&) = default;
};

/// What it wrote, and why no more.
struct GeneratedText {
    std::vector<std::int64_t> tokens;
    analyses::GenerationEnd end = analyses::GenerationEnd::Count;

    friend bool operator==(const GeneratedText&, const GeneratedText&) = default;
};

/// A side's request with tokens that were generated behind its text, which is that of the step that writes `next`: before
/// step `ablateFrom` with all heads.
SideRequest atStep(SideRequest request, int ablateFrom, std::vector<std::int64_t> generated,
                   std::optional<std::int64_t> next);

/// The tokens with their texts, which begin at byte `begin`. `tokenizer` may be null.
std::vector<text::Token> generatedTokens(const text::Tokenizer* tokenizer,
                                         const std::vector<std::int64_t>& generated, std::uint64_t begin = 0);

/// How many of the tokens say what the others say, too, from the first one on.
int agreeingTokens(const std::vector<text::Token>& tokens, const std::vector<text::Token>& others);

}  // namespace hs::service
